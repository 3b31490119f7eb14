// An identity provider for tests, in a process of its own: oidc-provider, whose login asks nothing and is whoever the test said last.
// The message { account } sets that.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [port, redirectUri, method] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
let account = {};
process.on('message', (message) => {
  account = message.account;
  process.send('set');
});

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'tanks',
      client_secret: 'a secret: of the/tests',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: method,
    },
  ],
  cookies: { keys: ['tests'] },
  claims: { email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: process.env.THIN === 'true',
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => ({ ...account, sub }),
  }),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  loadExistingGrant: async ({ oidc }) => {
    const last = oidc.session.grantIdFor(oidc.client.clientId); // a new one would end the codes of other tabs
    if (last !== undefined) return provider.Grant.find(last);
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});

const handle = provider.callback();
createServer((request, response) => {
  if (request.url.startsWith('/me') && account.otherSub !== undefined) {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ ...account, sub: account.otherSub }));
    return;
  }
  if (!request.url.startsWith('/interaction/')) {
    void handle(request, response);
    return;
  }
  const result = account.refuses ? { error: 'access_denied' } : { login: { accountId: account.sub } };
  provider.interactionFinished(request, response, result).catch((error) => {
    response.statusCode = 500;
    response.end(String(error));
  });
}).listen(Number(port), '127.0.0.1', () => process.send('listening'));
