// The manifests in docs/kubernetes/: Kubernetes knows every field in them, every pod is a restricted one, and settings, ports,
// probes and times are those of the service.
import { describe, expect, it } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadConfig } from '../../src/platform/config/config.js';
import { VERSION } from '../../src/platform/config/project.js';
import { MANAGE_CONNECTIONS } from '../../src/platform/database/data-source.js';
import { startService } from '../support/app.js';

const FOLDER = 'docs/kubernetes';
const require = createRequire(import.meta.url);

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly { containerPort: number }[];
  readonly envFrom: readonly { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  readonly resources: object;
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

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly containers: readonly Container[];
        readonly initContainers?: readonly Container[];
        readonly terminationGracePeriodSeconds?: number;
      };
    };
    /** Of a Service it is the labels themselves. */
    readonly selector?: { readonly matchLabels?: object };
    readonly podSelector?: { readonly matchLabels: object };
    readonly maxReplicas?: number;
    readonly ingress?: readonly { ports: readonly object[] }[];
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
    for (const { image, resources } of containers) {
      expect(image).toBe(`registry.example.com/tank-monitoring-service:${VERSION}`);
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
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
  });
});

const labelsOf = (component: string): object => ({
  'app.kubernetes.io/name': 'tank-monitoring',
  'app.kubernetes.io/component': component,
});

it('the pods of each component are found by its selectors, and by the Service of the API', () => {
  const found = named.flatMap(([title, { metadata, spec }]) => {
    const [, , component = ''] = metadata.name.split('-');
    const selector = spec?.podSelector ?? spec?.selector;
    const labels = [selector?.matchLabels, spec?.template?.metadata.labels];
    return labels.flatMap((one) => (one === undefined ? [] : [{ title, component, labels: one }]));
  });
  expect(found.length).toBeGreaterThan(8);
  expect(found).toEqual(found.map((one) => ({ ...one, labels: labelsOf(one.component) })));
  expect(find('Service', 'tank-monitoring').spec).toMatchObject({
    selector: labelsOf('api'),
    ports: [{ name: 'http', targetPort: 'http' }],
  });
  expect(find('HorizontalPodAutoscaler', 'tank-monitoring-api').spec).toMatchObject({
    scaleTargetRef: { kind: 'Deployment', name: 'tank-monitoring-api' },
  });
  const backend = { service: { name: 'tank-monitoring', port: { name: 'http' } } };
  expect(find('Ingress', 'tank-monitoring').spec).toMatchObject({
    rules: [{ http: { paths: [{ backend }] } }],
  });
});

describe('the API', () => {
  const container = onlyContainer('Deployment', 'tank-monitoring-api');
  const { shutdown, worker, redisUrl, database, ingest } = loadConfig(environmentOf(container));

  it('is probed where the service answers', async () => {
    const service = await startService();
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    const paths = ['/health/live', '/health/live', '/health/ready'];

    expect(probes.map((probe) => probe?.httpGet)).toEqual(paths.map((path) => ({ path, port: 'http' })));
    for (const path of paths) expect(await service.status(path, null)).toBe(200);
  });

  it('has time to say good-bye before it is killed', () => {
    const { template } = find('Deployment', 'tank-monitoring-api').spec;
    const { terminationGracePeriodSeconds = 30 } = template.spec;
    const [program, seconds] = container.lifecycle?.preStop.exec.command ?? [];

    expect(program).toBe('sleep');
    const needed = Number(seconds) * 1_000 + shutdown.delayMs + shutdown.graceMs;
    expect(needed).toBeLessThan(terminationGracePeriodSeconds * 1_000);
  });

  it('leaves the background work to the worker, and shares its limits', () => {
    expect(worker).toBe(false);
    expect(redisUrl).toBeDefined();
    const { command, livenessProbe } = onlyContainer('Deployment', 'tank-monitoring-worker');
    expect(command).toEqual(['node', 'dist/cli.js', 'worker']);
    // It answers there whatever the database does.
    expect(livenessProbe?.httpGet).toEqual({ path: '/health/live', port: 'metrics' });
  });

  it('has no more connections than a PostgreSQL takes by default, while the most pods are replaced', () => {
    const { maxReplicas = 0 } = find('HorizontalPodAutoscaler', 'tank-monitoring-api').spec;
    const reservedForSuperusers = 3;
    const forWorkersAndCommands = 7;

    const ofOnePod = database.poolSize + ingest.poolSize + MANAGE_CONNECTIONS;
    expect((maxReplicas + 1) * ofOnePod + forWorkersAndCommands).toBeLessThan(100 - reservedForSuperusers);
  });

  it('lets others in where it listens', () => {
    const { ingress } = find('NetworkPolicy', 'tank-monitoring-api').spec;
    expect(ingress?.flatMap(({ ports }) => ports)).toEqual(
      container.ports?.map(({ containerPort: port }) => ({ port })),
    );
  });
});

it.each([
  ['api', [53, 5432, 6379, 443, 587, 465, 4318]],
  ['worker', [53, 5432, 1883, 8883, 443, 587, 465, 4318]],
])('%s may go where it has to: databases, brokers, collectors, and webhooks of others', (name, ports) => {
  expect(find('Secret', `tank-monitoring-${name}`).stringData).toHaveProperty('WEBHOOK_SECRET_KEY');
  const { egress = [] } = find('NetworkPolicy', `tank-monitoring-${name}`).spec;
  expect([...new Set(egress.flatMap((rule) => rule.ports.map(({ port }) => port)))]).toEqual(ports);
  const webhooks = egress.find((rule) => rule.ports.some(({ port }) => port === 443));
  expect(webhooks?.to).toMatchObject([{ ipBlock: { except: expect.arrayContaining(['10.0.0.0/8']) } }]);
});

it('the image contains the file of the rights, where messages and manuals name it', () => {
  expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^COPY docs\/least-privilege\.sql \.\/docs\/$/m);
  expect(readFileSync('.dockerignore', 'utf8')).toContain('\n!docs/least-privilege.sql\n');
});

it('the README names every file, and the Job of this version, which it waits for', () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const files = readdirSync(FOLDER).filter((file) => file !== 'README.md');
  const job = find('Job', `tank-monitoring-migrate-${VERSION.replaceAll('.', '-')}`).metadata.name;

  expect(files.filter((file) => !readme.includes(`\`${file}\``))).toEqual([]);
  expect(readme).toContain(` job/${job}\n`);
  expect(readme).toContain('create configmap tank-monitoring-database-ca --from-file=ca.crt');
});
