// Compresses what is worth it.

const WORTH_IT = 1_000;

/** As it is where it is short, or where the platform cannot. */
export async function gzip(text: string): Promise<string | Blob> {
  if (text.length < WORTH_IT || typeof CompressionStream === 'undefined') return text;
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).blob();
}
