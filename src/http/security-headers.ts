// Security headers for every response, and the policy under which Swagger UI works.
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      connectSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"], // Swagger UI styles its elements in place
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // For browsers that are gone, or said again by the policy above.
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** As header lines. Helmet's headers never depend on the request, so it is asked once, at the start. */
export const SECURITY_HEADERS: string = askHelmet();

function askHelmet(): string {
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  protect(sample.req, sample, () => undefined);
  return sample
    .getHeaderNames()
    .map((name) => `${capitalized(name)}: ${String(sample.getHeader(name))}\r\n`)
    .join('');
}

function capitalized(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
