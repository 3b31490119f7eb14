// What functions of the page need of a browser, for their unit tests in Node.js.
globalThis.navigator ??= {};
Object.defineProperty(globalThis.navigator, 'language', { value: 'en-GB', configurable: true });
Object.defineProperty(globalThis.navigator, 'languages', { value: ['en-GB'], configurable: true });
globalThis.document ??= { body: { dataset: { fillTo: '85' } } };
globalThis.location ??= { pathname: '/fleet', search: '', hash: '' };
