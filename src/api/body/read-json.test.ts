import { describe, expect, it } from 'vitest'
import { bounds } from '../../platform/bounds.ts'
import { findExceededJsonBound } from './read-json.ts'

const exceededBound = (text: string) => findExceededJsonBound(Buffer.from(text))
const { MAX_JSON_DEPTH: depth, MAX_JSON_VALUES: values } = bounds

describe('findExceededJsonBound()', () => {
  it.each([
    ['as deep as may be', '['.repeat(depth.most) + ']'.repeat(depth.most), undefined],
    ['deeper', '['.repeat(depth.most + 1), 'MAX_JSON_DEPTH'],
    ['as many values as may be', `[${'1,'.repeat(values.most - 2)}1]`, undefined],
    ['more values', `[${'1,'.repeat(values.most - 1)}1]`, 'MAX_JSON_VALUES'],
    ['brackets in strings', JSON.stringify('['.repeat(1000)), undefined],
    ['brackets behind escaped quotes', JSON.stringify(`\\"${'['.repeat(1000)}\\`), undefined],
    ['commas in strings', JSON.stringify({ a: ','.repeat(values.most + 1) }), undefined],
    [
      'brackets behind a string that ends in a backslash',
      `["\\\\",${'['.repeat(depth.most)}`,
      'MAX_JSON_DEPTH',
    ],
    ['a string without end', `"${'['.repeat(1000)}`, undefined],
    ['nothing', '', undefined],
  ])('%s', (_, text, bound) => {
    expect(exceededBound(text)).toBe(bound)
  })
})
