// What functions of the page need of a browser, for their unit tests in Node.js.
globalThis.navigator ??= { language: 'en-GB' };
Object.defineProperty(globalThis.navigator, 'language', { value: 'en-GB', configurable: true });
globalThis.location ??= { pathname: '/fleet', search: '' };
