// HMAC with SHA-256 (RFC 2104, FIPS 180-4), since what browsers have of it cannot answer at once.

const PRIMES = primes(64);
/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8. */
const ROUNDS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64;

/** The message may be given in parts. */
export function hmacSha256(key: Uint8Array, ...message: readonly Uint8Array[]): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const [inner, outer] = [block.map((byte) => byte ^ 0x36), block.map((byte) => byte ^ 0x5c)];
  return sha256(outer, sha256(inner, ...message));
}

function sha256(...message: readonly Uint8Array[]): Uint8Array {
  const length = message.reduce((sum, part) => sum + part.length, 0);
  const blocks = new DataView(new ArrayBuffer(Math.ceil((length + 9) / BLOCK) * BLOCK));
  let end = 0;
  for (const part of message) {
    new Uint8Array(blocks.buffer).set(part, end);
    end += part.length;
  }
  blocks.setUint8(length, 0x80);
  blocks.setBigUint64(blocks.byteLength - 8, BigInt(length) * 8n);
  const state = START.slice();
  for (let at = 0; at < blocks.byteLength; at += BLOCK) compress(state, blocks, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

/** The letters are those of the standard. */
function compress(state: Uint32Array, blocks: DataView, at: number): void {
  const w = new Uint32Array(64);
  for (let t = 0; t < 64; t += 1) {
    if (t < 16) {
      w[t] = blocks.getUint32(at + t * 4);
      continue;
    }
    const [w2, w15] = [w[t - 2]!, w[t - 15]!];
    const small1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
    const small0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
    w[t] = small1 + w[t - 7]! + small0 + w[t - 16]!;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let t = 0; t < 64; t += 1) {
    const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = h + big1 + ((e & f) ^ (~e & g)) + ROUNDS[t]! + w[t]!;
    const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = big0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index]! += word));
}

type Eight = [number, number, number, number, number, number, number, number];

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(root: number): number {
  return (root % 1) * 2 ** 32;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}
