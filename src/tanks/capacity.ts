// Volumes in the units of tanks and trucks.
import type { CapacityUnit } from './tank.entity.js';

/** Of a US gallon. */
const LITERS = 3.785411784;

export function inUnit(volume: number, from: CapacityUnit, to: CapacityUnit): number {
  if (from === to) return volume;
  return to === 'liters' ? volume * LITERS : volume / LITERS;
}
