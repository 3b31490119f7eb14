// What keeps the rules is what class-validator finds no mistake in.
import { describe, expect, it } from '@jest/globals';
import {
  Allow,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  Length,
  Min,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { fc } from '../../../test/support/cases.js';
import { keepsRules } from './rules.js';
import { VALIDATION } from './validation.pipe.js';

class Inner {
  @IsOptional()
  @IsInt()
  @Min(1)
  depth?: unknown;
}

class Base {
  @Allow()
  any?: unknown;
}

class Outer extends Base {
  @IsIn(['a', 'b'])
  kind?: unknown;

  @ValidateIf((object: Outer) => object.kind === 'a')
  @Length(1, 3)
  name?: unknown;

  @IsOptional()
  @ValidateNested()
  inner?: unknown;

  @IsOptional()
  @ValidateNested({ each: true })
  list?: unknown;
}

class Flags {
  @IsBoolean({ each: true })
  flags?: unknown;
}

const value = fc.constantFrom<unknown>(undefined, null, 'a', 'b', '', 'long', 0, 1, 1.5, {}, [], [{}]);
const inner = fc.oneof(
  value,
  fc.record({ depth: value }, { requiredKeys: [] }).map((sent) => Object.assign(new Inner(), sent)),
);
const list = fc.oneof(value, fc.array(inner.filter((one) => one !== undefined)));
const fields = { any: value, kind: value, name: value, inner, list, other: value };
const outer = fc.record(fields, { requiredKeys: [] });

function isJudgedDifferently(sent: Partial<Outer>): boolean {
  const object = Object.assign(new Outer(), sent);
  for (const name of ['any', 'kind', 'name', 'inner', 'list'] as const)
    if (!(name in sent)) delete object[name];
  const mistakes = validateSync(object, { ...VALIDATION, forbidUnknownValues: false });
  // A list where one object is expected, or a list within a list, is left to class-validator.
  const isLeft = Array.isArray(object.inner) || [object.list].flat().some(Array.isArray);
  return keepsRules(object) !== (mistakes.length === 0 && !isLeft);
}

describe('what keeps the rules of its class', () => {
  it('is what class-validator finds no mistake in', () => {
    expect(fc.sample(outer, 5_000).filter(isJudgedDifferently)).toEqual([]);
  });

  it('is left to class-validator where a rule is of another kind', () => {
    expect(keepsRules(Object.assign(new Flags(), { flags: [true] }))).toBe(false);
    expect(keepsRules(Object.create(null) as object)).toBe(false);
  });
});
