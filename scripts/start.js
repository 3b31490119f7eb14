// `npm start`: the service, built first if its sources are newer. One command, which the shell is replaced by, so that what stops npm
// stops the service.
await import('./build-if-needed.js');
await import('../dist/main.js');
