import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { questionsOf } from './questions.ts'
import { anchorsOf, isReference, isSection } from './sections.ts'

const root = join(import.meta.dirname, '..', '..')
const openApi = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>
}

function exists(right: string): boolean {
  const [method = '', apiPath = ''] = right.split(' ')
  if (isReference(right)) return openApi.paths[apiPath]?.[method.toLowerCase()] !== undefined
  const [path = '', anchor] = right.split('#')
  const anchors = anchorsOf(readFileSync(join(root, path), 'utf8'))
  return anchor === undefined || anchors.includes(anchor)
}

describe.each(['development', 'kept-back'] as const)('the questions of %s', (half) => {
  it('are thirty, and refer to existing sections and endpoints', () => {
    const questions = questionsOf(half)
    expect(questions).toHaveLength(30)
    expect(questions.flatMap(({ right }) => right).filter((right) => !exists(right))).toEqual([])
  })
})

describe('isSection()', () => {
  it.each([
    ['docs/reading.md#redaction', 'docs/reading.md#redaction', true],
    ['/docs/reading.md#Redaction', 'docs/reading.md#redaction', true],
    ['docs/reading.md', 'docs/reading.md#redaction', false],
    ['docs/errors.md#errors', 'docs/errors.md', true],
    ['reference: POST /v2/map', 'POST /v2/map', true],
    ['reference: POST /v2/scrape/{id}/interact', 'POST /v2/scrape', false],
  ])('compares %s with %s: %s', (reference, right, isRight) => {
    expect(isSection(reference, right)).toBe(isRight)
  })
})
