// Every header of every answer by setHeader().
export function fixedHeaders(headers) {
  return Object.entries(headers);
}

export function setFixedHeaders(response, headers) {
  for (const [name, value] of headers) response.setHeader(name, value);
}

export function setRequestId(response, id) {
  response.setHeader('X-Request-Id', id);
}

export function writeFixedHeaders() {}
