// Leaves nothing behind: the run's databases and the embedded server go.
export default async function tearDown(): Promise<void> {
  await globalThis.removeTestServer?.();
}
