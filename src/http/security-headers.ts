// Security headers for every response, and the policy under which Swagger UI works.
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Content-Security-Policy: what a page may load, by directive. */
export type Policy = Readonly<Record<string, readonly string[]>>;

type Headers = Readonly<Record<string, string>>;

export const SECURITY_HEADERS: Headers = policyHeaders({
  defaultSrc: ["'none'"],
  connectSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"], // Swagger UI styles its elements in place
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
});

/** Helmet's headers never depend on the request, so it is asked once, at the start. */
export function policyHeaders(policy: Policy): Headers {
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    // For browsers that are gone, or said again by the policy above.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  protect(sample.req, sample, () => undefined);
  const headers = Object.entries(sample.getHeaders());
  return Object.fromEntries(headers.map(([name, value]) => [capitalized(name), String(value)]));
}

function capitalized(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
