// The groups that tanks are counted and sorted in, as tank_states.fleet_group numbers them: five for each use case. Any filter of the
// fleet, apart from owner and text, is a choice of groups.
import { USE_CASES, type UseCase } from '../tanks/tank.entity.js';

/** In the order of their numbers. */
const STANDINGS = [
  { reported: false, low: false, silent: false },
  { reported: true, low: false, silent: false },
  { reported: true, low: true, silent: false },
  { reported: true, low: false, silent: true },
  { reported: true, low: true, silent: true },
];
/** The group of a tank that fell silent is this much above the one it was in. */
export const STEP_TO_SILENT = 2;

const GROUPS = [null, ...USE_CASES].flatMap((useCase, i) =>
  STANDINGS.map((standing, j) => ({ number: i * STANDINGS.length + j, useCase, ...standing })),
);

export const ALL_GROUPS: readonly number[] = GROUPS.map(({ number }) => number);

interface GroupFilter {
  readonly useCase?: UseCase | undefined;
  readonly reported?: boolean | undefined;
  readonly low?: boolean | undefined;
  readonly silent?: boolean | undefined;
}

export function listGroups({ useCase, reported, low, silent }: GroupFilter): number[] {
  return GROUPS.filter(
    (group) =>
      (useCase === undefined || group.useCase === useCase) &&
      (reported === undefined || group.reported === reported) &&
      (low === undefined || group.low === low) &&
      (silent === undefined || group.silent === silent),
  ).map(({ number }) => number);
}
