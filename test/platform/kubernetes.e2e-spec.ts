// The manifests in docs/kubernetes/: Kubernetes knows every field in them, every pod is a restricted one, and settings, ports,
// probes and times are those of the service.
import { describe, expect, it } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadConfig } from '../../src/platform/config/config.js';
import { MANAGE_CONNECTIONS } from '../../src/platform/database/data-source.js';
import { startService } from '../support/app.js';

const FOLDER = 'docs/kubernetes';
const require = createRequire(import.meta.url);

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly { name: string; containerPort: number }[];
  readonly envFrom: readonly { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  readonly resources: { requests: Record<string, string>; limits: Record<string, string> };
  readonly securityContext: object;
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly volumeMounts?: readonly { readonly mountPath: string }[];
  readonly lifecycle?: { preStop: { exec: { command: readonly [string, string] } } };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface PodTemplate {
  readonly metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly securityContext: object;
    readonly automountServiceAccountToken: boolean;
    readonly terminationGracePeriodSeconds?: number;
  };
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
  readonly spec: {
    readonly template: PodTemplate;
    readonly selector?: Record<string, unknown>;
    readonly podSelector?: { readonly matchLabels: Record<string, string> };
    readonly maxReplicas?: number;
    readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
    readonly ports?: readonly { name: string; targetPort: string }[];
    readonly rules?: readonly { http: { paths: readonly { backend: { service: object } }[] } }[];
    readonly ingress?: readonly { ports: readonly { port: number }[] }[];
    readonly egress?: readonly { to?: readonly object[]; ports: readonly { port: number }[] }[];
  };
}

const manifests = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) =>
    (loadAll(readFileSync(join(FOLDER, file), 'utf8')) as Manifest[]).map((manifest) => ({
      name: `${manifest.kind} ${manifest.metadata.name} in ${file}`,
      manifest,
    })),
  );
const named = manifests.map(({ name, manifest }) => [name, manifest] as const);
const pods = named.filter(([, { kind }]) => kind === 'Deployment' || kind === 'Job');

function find(kind: string, name: string): Manifest {
  const found = manifests.find(({ manifest }) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found.manifest;
}

function onlyContainer(kind: string, name: string): Container {
  const [container] = find(kind, name).spec.template.spec.containers;
  if (container === undefined) throw new Error(`${kind} ${name} has no container.`);
  return container;
}

/** What a container's environment holds. */
function environmentOf({ envFrom }: Container): Record<string, string> {
  const parts = envFrom.map(({ configMapRef, secretRef }) =>
    configMapRef === undefined
      ? find('Secret', secretRef?.name ?? '').stringData
      : find('ConfigMap', configMapRef.name).data,
  );
  return Object.assign({}, ...parts) as Record<string, string>;
}

/** Throws when a value is not what Kubernetes takes. Fields that it never looks at are those that Kubernetes does not know. */
function unknownFields(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const models = require(`kubernetes-models/${apiVersion}/${kind}`) as Record<
    string,
    { prototype: { validate(this: unknown): void } }
  >;
  const unknown = new Set<string>();
  models[kind]?.prototype.validate.call(watch(manifest, kind, unknown));
  return [...unknown];
}

/** Notes every field that nobody has read. */
function watch<T extends object>(value: T, path: string, unread: Set<string>): T {
  const inner = new Map<PropertyKey, unknown>();
  for (const [key, field] of Object.entries(value)) {
    const address = `${path}.${key}`;
    if (!Array.isArray(value)) unread.add(address);
    inner.set(key, typeof field === 'object' && field !== null ? watch(field, address, unread) : field);
  }
  return new Proxy(value, {
    get: (target, key, receiver) => {
      unread.delete(`${path}.${String(key)}`);
      return inner.has(key) ? inner.get(key) : Reflect.get(target, key, receiver);
    },
  });
}

it.each(named)('%s is what Kubernetes takes, field by field, in the namespace of all', (_name, manifest) => {
  expect(unknownFields(manifest)).toEqual([]);
  const { name, namespace } = manifest.metadata;
  expect(manifest.kind === 'Namespace' ? name : namespace).toBe('tank-monitoring');
});

describe.each(pods)('a pod of %s', (_name, { spec: { template } }) => {
  const { containers, initContainers = [], ...pod } = template.spec;

  it('is a restricted one, by the user of the image', () => {
    const [, user, group] = /^USER (\d+):(\d+)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];

    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: Number(user),
        runAsGroup: Number(group),
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    for (const { securityContext } of [...containers, ...initContainers]) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('runs a release, within bounds', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const { image, resources } of containers) {
      expect(image).toBe(`registry.example.com/tank-monitoring-service:${version}`);
      expect(resources.requests).toMatchObject({ cpu: expect.any(String), memory: expect.any(String) });
      expect(resources.limits).toMatchObject({ memory: expect.any(String) });
    }
  });

  it('has an environment that the service takes, of variables that it reads', () => {
    const known = readFileSync('.env.example', 'utf8');
    for (const container of containers) {
      const environment = environmentOf(container);
      expect(loadConfig(environment)).toMatchObject({ databaseUrl: environment['DATABASE_URL'] });
      for (const variable of Object.keys(environment)) expect(known).toContain(`\n${variable}=`);
    }
  });

  it('mounts the certificate that its addresses of the database name', () => {
    for (const container of containers) {
      const environment = environmentOf(container);
      const urls = [environment['DATABASE_URL'], environment['INGEST_DATABASE_URL']].filter(Boolean);
      const files = urls.map((url) => new URL(url ?? '').searchParams.get('sslrootcert'));
      expect(files).toEqual(files.map(() => `${container.volumeMounts?.[0]?.mountPath}/ca.crt`));
    }
    expect(pod).toMatchObject({ volumes: [{ configMap: { name: 'tank-monitoring-database-ca' } }] });
    expect(readFileSync(join(FOLDER, 'README.md'), 'utf8')).toContain(
      'create configmap tank-monitoring-database-ca --from-file=ca.crt',
    );
  });
});

describe('the migration of a release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const job = `tank-monitoring-migrate-${version.replaceAll('.', '-')}`;

  it('is a Job named by the version of its image, which the README waits for', () => {
    expect(onlyContainer('Job', job).image).toMatch(new RegExp(`:${version.replaceAll('.', '\\.')}$`));
    expect(readFileSync(join(FOLDER, 'README.md'), 'utf8')).toContain(` job/${job}\n`);
  });
});

describe('the API', () => {
  const container = onlyContainer('Deployment', 'tank-monitoring-api');
  const { shutdown, worker, redisUrl } = loadConfig(environmentOf(container));

  it('is probed where the service answers', async () => {
    const service = await startService();
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];

    expect(probes.map((probe) => probe?.httpGet)).toEqual([
      { path: '/health/live', port: 'http' },
      { path: '/health/live', port: 'http' },
      { path: '/health/ready', port: 'http' },
    ]);
    for (const probe of probes) expect(await service.status(probe?.httpGet.path ?? '', null)).toBe(200);
  });

  it('has time to say good-bye before it is killed', () => {
    const { terminationGracePeriodSeconds = 30 } = find('Deployment', 'tank-monitoring-api').spec.template
      .spec;
    const [program, seconds] = container.lifecycle?.preStop.exec.command ?? ['', ''];

    expect(program).toBe('sleep');
    expect(Number(seconds) * 1_000 + shutdown.delayMs + shutdown.graceMs).toBeLessThan(
      terminationGracePeriodSeconds * 1_000,
    );
  });

  it('leaves the background work to the worker, and shares its limits', () => {
    expect(worker).toBe(false);
    expect(redisUrl).toBeDefined();
    expect(onlyContainer('Deployment', 'tank-monitoring-worker').command).toEqual([
      'node',
      'dist/cli.js',
      'worker',
    ]);
  });

  it('has no more connections than a PostgreSQL takes by default, while the most pods are replaced', () => {
    const { database, ingest } = loadConfig(environmentOf(container));
    const { maxReplicas = 0 } = find('HorizontalPodAutoscaler', 'tank-monitoring-api').spec;
    const reservedForSuperusers = 3;
    const forWorkersAndCommands = 7;

    const ofOnePod = database.poolSize + ingest.poolSize + MANAGE_CONNECTIONS;
    expect((maxReplicas + 1) * ofOnePod + forWorkersAndCommands).toBeLessThan(100 - reservedForSuperusers);
  });

  it('is reached by its Service, budget, autoscaler and policies', () => {
    const { labels } = find('Deployment', 'tank-monitoring-api').spec.template.metadata;
    const { name: service } = find('Service', 'tank-monitoring').metadata;

    expect(find('Deployment', 'tank-monitoring-api').spec.selector).toEqual({ matchLabels: labels });
    expect(find('Service', 'tank-monitoring').spec).toMatchObject({
      selector: labels,
      ports: [{ name: 'http', targetPort: 'http' }],
    });
    expect(find('PodDisruptionBudget', 'tank-monitoring-api').spec.selector).toEqual({ matchLabels: labels });
    expect(find('HorizontalPodAutoscaler', 'tank-monitoring-api').spec.scaleTargetRef).toMatchObject({
      kind: 'Deployment',
      name: 'tank-monitoring-api',
    });
    expect(find('Ingress', 'tank-monitoring').spec.rules?.[0]?.http.paths[0]?.backend.service).toEqual({
      name: service,
      port: { name: 'http' },
    });
    for (const component of ['api', 'worker', 'migrate']) {
      const policy = find('NetworkPolicy', `tank-monitoring-${component}`).spec;
      expect(policy.podSelector?.matchLabels).toEqual({
        ...labels,
        'app.kubernetes.io/component': component,
      });
    }
    const open = find('NetworkPolicy', 'tank-monitoring-api').spec.ingress?.flatMap(({ ports }) => ports);
    expect(open).toEqual(container.ports?.map(({ containerPort: port }) => ({ port })));
  });
});

describe('API and worker', () => {
  const secrets = ['tank-monitoring-api', 'tank-monitoring-worker'].map(
    (name) => find('Secret', name).stringData,
  );

  it('both have the key of webhooks, which both send', () => {
    for (const secret of secrets) expect(secret).toHaveProperty('WEBHOOK_SECRET_KEY');
  });

  it.each([
    ['api', [53, 5432, 6379, 443, 587, 465, 4318]],
    ['worker', [53, 5432, 1883, 8883, 443, 587, 465, 4318]],
  ])('%s may go where it has to: databases, brokers, collectors, and webhooks of others', (name, ports) => {
    const { egress = [] } = find('NetworkPolicy', `tank-monitoring-${name}`).spec;

    expect([...new Set(egress.flatMap((rule) => rule.ports.map(({ port }) => port)))]).toEqual(ports);
    const webhooks = egress.find((rule) => rule.ports.some(({ port }) => port === 443));
    expect(webhooks?.to).toMatchObject([{ ipBlock: { except: expect.arrayContaining(['10.0.0.0/8']) } }]);
  });

  it('worker is probed where it answers, whatever the database does', () => {
    expect(onlyContainer('Deployment', 'tank-monitoring-worker').livenessProbe?.httpGet).toEqual({
      path: '/health/live',
      port: 'metrics',
    });
  });
});

it('the image contains the file of the rights, where messages and manuals name it', () => {
  expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^COPY docs\/least-privilege\.sql \.\/docs\/$/m);
  expect(readFileSync('.dockerignore', 'utf8')).toContain('\n!docs/least-privilege.sql\n');
});

it('the README names every file', () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const files = readdirSync(FOLDER).filter((file) => file !== 'README.md');

  expect(files.filter((file) => !readme.includes(`\`${file}\``))).toEqual([]);
});
