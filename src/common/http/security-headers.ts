// Security headers for every response, and the policy under which Swagger UI works.
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export const SECURITY_HEADERS = policyHeaders({
  defaultSrc: ["'none'"],
  connectSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"], // Swagger UI styles its elements in place
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
});

/** `policy`: the directives of Content-Security-Policy. Helmet's headers never depend on the request, so they are made once. */
export function policyHeaders(policy: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    strictTransportSecurity: { includeSubDomains: false }, // what else runs in the domain is not ours to decide
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
