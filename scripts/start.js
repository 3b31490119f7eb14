// `npm start`: the service, built first if its sources are newer. One command, so that a shell may hand over to it and what stops
// npm stops the service.
await import('./build-if-needed.js');
await import('../dist/main.js');
