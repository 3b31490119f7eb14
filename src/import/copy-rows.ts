// Rows in PostgreSQL's binary COPY format: nothing to escape here, and nothing to parse for the server.
// https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"

const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = -1;
const NULL = -1;
const INITIAL_BYTES = 1 << 20;
const TWO_TO_32 = 2 ** 32;
const YEAR_2000 = Date.UTC(2000, 0, 1);

export class CopyRows {
  private bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  private spare = Buffer.allocUnsafe(INITIAL_BYTES);
  private end = HEADER.copy(this.bytes);

  get size(): number {
    return this.end - HEADER.length;
  }

  startRow(fields: number): void {
    this.makeRoom(2);
    this.end = this.bytes.writeInt16BE(fields, this.end);
  }

  null(): void {
    this.makeRoom(4);
    this.end = this.bytes.writeInt32BE(NULL, this.end);
  }

  text(value: string): void {
    this.makeRoom(4 + value.length * 3); // no UTF-16 unit needs more than 3 bytes of UTF-8
    const start = this.end + 4;
    const length = this.bytes.write(value, start);
    this.bytes.writeInt32BE(length, this.end);
    this.end = start + length;
  }

  boolean(value: boolean): void {
    this.writeLength(1);
    this.end = this.bytes.writeUInt8(value ? 1 : 0, this.end);
  }

  integer(value: number): void {
    this.writeLength(4);
    this.end = this.bytes.writeInt32BE(value, this.end);
  }

  double(value: number): void {
    this.writeLength(8);
    this.end = this.bytes.writeDoubleBE(value + 0, this.end); // + 0 makes -0 a plain 0
  }

  bigint(value: number): void {
    this.writeLength(8);
    const high = Math.floor(value / TWO_TO_32);
    this.bytes.writeInt32BE(high, this.end);
    this.end = this.bytes.writeUInt32BE(value - high * TWO_TO_32, this.end + 4);
  }

  /** A timestamptz is the microseconds since 2000; beyond the years 1715 to 2285 a number cannot hold them exactly. */
  instant(milliseconds: number): void {
    const micros = (milliseconds - YEAR_2000) * 1000;
    if (Number.isSafeInteger(micros)) {
      this.bigint(micros);
    } else {
      this.writeLength(8);
      this.end = this.bytes.writeBigInt64BE(BigInt(milliseconds - YEAR_2000) * 1000n, this.end);
    }
  }

  /** All rows so far as one COPY's data. It stays untouched until the take after the next. */
  take(): Buffer {
    this.makeRoom(2);
    this.end = this.bytes.writeInt16BE(TRAILER, this.end);
    const data = this.bytes.subarray(0, this.end);
    [this.bytes, this.spare] = [this.spare, this.bytes];
    this.end = HEADER.copy(this.bytes);
    return data;
  }

  private writeLength(bytes: number): void {
    this.makeRoom(4 + bytes);
    this.end = this.bytes.writeInt32BE(bytes, this.end);
  }

  private makeRoom(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.end + bytes));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}
