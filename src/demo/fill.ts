// Fills an empty database with the demo fleet.
import type { DataSource } from 'typeorm';

export async function fillWithDemoFleet(_dataSource: DataSource): Promise<void> {}
