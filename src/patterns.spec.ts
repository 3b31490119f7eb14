// No regular expression of the service or the page may match a text in ever more ways the longer the text is: a few hundred bytes of
// a stranger would hold the process for good. The checker is strict; where it refuses, split, includes and indexOf do.
import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSafe } from 'redos-detector';
import ts from 'typescript';
import { inProject } from './platform/config/project.js';

const TIMEOUT_MS = 120_000;

interface Pattern {
  readonly place: string;
  /** Undefined when it is put together at run time, so that nobody can check it. */
  readonly literal: string | undefined;
}

function sourceFiles(folder: string): string[] {
  const names = readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.spec.ts'))
    .map((name) => join(folder, name));
}

function patternsOf(file: string, text: string): Pattern[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const place = `${file}:${line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) found.push({ place, literal: node.text });
    if (isBuilt(node, source)) found.push({ place, literal: undefined });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isBuilt(node: ts.Node, source: ts.SourceFile): boolean {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(source) === 'RegExp'
  );
}

function isLinear({ literal }: Pattern): boolean {
  if (literal === undefined) return false;
  const end = literal.lastIndexOf('/');
  return isSafe(new RegExp(literal.slice(1, end), literal.slice(end + 1))).safe;
}

function faulty(patterns: readonly Pattern[]): string[] {
  return patterns
    .filter((pattern) => !isLinear(pattern))
    .map(({ place, literal = 'built at run time' }) => `${place} ${literal}`);
}

it(
  'every pattern matches in few ways, however long the text is',
  () => {
    const patterns = ['src', 'web']
      .flatMap(sourceFiles)
      .flatMap((file) => patternsOf(file, readFileSync(inProject(file), 'utf8')));

    expect(patterns.length).toBeGreaterThan(30);
    expect(faulty(patterns)).toEqual([]);
  },
  TIMEOUT_MS,
);

it.each([
  ['two neighbours that take the same', String.raw`/^a\s*\s*b$/`],
  ['a repetition of repetitions', '/^(a+)+$/'],
  ['a start that is looked for everywhere', String.raw`/\s+$/`],
  ['a pattern that is built', `new RegExp(name)`],
])('would refuse %s', (_, code) => {
  expect(faulty(patternsOf('any.ts', code))).toHaveLength(1);
});
