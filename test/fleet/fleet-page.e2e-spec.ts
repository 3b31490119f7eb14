// How the fleet page is served: open, strict about what it may load, cached as long as it cannot change. What it does in a
// browser is in test/browser.
import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';

const service = await startService();
const open = service.agent();

describe('GET /fleet', () => {
  it('is open to everyone and asked about again each time', async () => {
    const { headers, text } = await open.get('/fleet').expect(200);

    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(text).toContain('<title>Tank Monitoring</title>');
    expect(text).not.toContain('data-demo');
    await open.get('/fleet/demo-key').expect(404);
    await open.get('/fleet').set('If-None-Match', String(headers['etag'])).expect(304);
  });

  it('has a policy of its own that allows nothing inline and nothing from elsewhere', async () => {
    const { headers } = await open.get('/fleet').expect(200);

    const policy = String(headers['content-security-policy']);
    expect(policy.split(';').toSorted()).toEqual(
      [
        "default-src 'none'",
        "connect-src 'self'",
        "img-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types worker',
      ].toSorted(),
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
  });

  it.each([
    ['/', '/fleet'],
    ['/fleet/?low=true', '../fleet?low=true'],
  ])('is where %s leads', async (path, location) => {
    expect((await open.get(path).expect(302)).headers['location']).toBe(location);
  });
});

describe('what the page refers to', () => {
  it('is there, typed, and kept for a year under a name that changes with it', async () => {
    const { text } = await open.get('/fleet').expect(200);
    const files = [...text.matchAll(/"(fleet\/[^"]+)"/g)].map(([, path]) => `/${path}`);
    const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', txt: 'text/plain' };

    expect(files).toHaveLength(5);
    for (const file of files) {
      const extension = file.split('.').at(-1) as keyof typeof types;
      expect(file).toMatch(/^\/fleet\/[a-z]+-[0-9A-Z]{8}\.(js|css|svg|txt)$/);
      const { headers } = await open.get(file).expect(200);
      expect(headers['content-type']).toContain(types[extension]);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('comes with the licences of what is in it', async () => {
    const { text } = await open.get('/fleet').expect(200);
    const [, licenses] = /"(fleet\/licenses-[^"]+)"/.exec(text) ?? [];

    const { text: licences } = await open.get(`/${licenses}`).expect(200);

    for (const name of ['preact', 'uplot', 'world-atlas']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d.* \\((MIT|ISC)\\)$`, 'm'));
    }
  });

  it('is a file of the page and nothing else', async () => {
    for (const name of ['index.html', 'main.js', '..%2Fmain.js', '%2e%2e%2fcli.js', 'page-00000000.js']) {
      const { body } = await open.get(`/fleet/${name}`).expect(404);
      expect(body).toMatchObject({ code: 'not_found' });
    }
  });
});

it('says so when the service takes no changes', async () => {
  const reading = await startService({ database: service.database, environment: { INGEST: 'false' } });

  const { text } = await reading.agent().get('/fleet').expect(200);

  expect(text).toContain('<body data-read-only data-fill-to="85">');
  expect((await open.get('/fleet').expect(200)).text).toContain('<body data-fill-to="85">');
});

it("has the company's name as data, whatever characters are in it", async () => {
  const environment = { COMPANY_NAME: `Müller & "Söhne" <b>'$&'</b>` };
  const named = await startService({ database: service.database, environment });

  const { text } = await named.agent().get('/fleet').expect(200);

  expect(text).toContain(
    `<body data-fill-to="85" data-company="Müller &amp; &quot;Söhne&quot; <b>'$&amp;'</b>">\n    <div id="page">`,
  );
});

it('in the demo the page is signed in by an answer that is never kept', async () => {
  const demo = await startService({ database: service.database, demoKey: 'tms_demo.key' });
  const { text } = await demo.agent().get('/fleet').expect(200);
  const { body, headers } = await demo.agent().get('/fleet/demo-key').expect(200);

  expect(text).toContain('<body data-demo data-fill-to="85">');
  expect(body).toEqual({ key: 'tms_demo.key' });
  expect(headers['cache-control']).toBe('no-store');
});
