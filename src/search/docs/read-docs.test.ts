import { describe, expect, it } from 'vitest'
import { splitGuide, splitTable } from './read-docs.ts'

describe('cutGuide', () => {
  const guide = [
    ...[
      '# Sea',
      'Intro.',
      '## Tides',
      'Twice a day.',
      '### High',
      'At noon.',
      '```sh',
      '# no heading',
      '```',
    ],
    ...['## Empty', '## Tides', 'Again.'],
  ].join('\n')

  it('splits a guide at its headings and returns the path and the parent headings of each section', () => {
    const sections = splitGuide('docs/sea.md', guide, 1)
    expect(sections.map(({ pathOrUrl, headings }) => [pathOrUrl, headings])).toEqual([
      ['docs/sea.md', []],
      ['docs/sea.md#tides', ['Sea']],
      ['docs/sea.md#high', ['Sea', 'Tides']],
      ['docs/sea.md#tides-1', ['Sea']],
    ])
    expect(sections[2]?.text).toBe('At noon.\n```sh\n# no heading\n```')
  })
})

describe('cutTable', () => {
  it('returns a section for each row, with the meaning first', () => {
    const table =
      '# Errors\n\n| Status | Code | Message |\n|---|---|---|\n| 408 | `SLOW` | It took \\| long |\n'
    expect(splitTable('docs/errors.md', table, { nameColumn: 1, weight: 1, kind: 'error' })).toMatchObject([
      {
        ...{ pathOrUrl: 'docs/errors.md#SLOW', title: 'SLOW', headings: ['Errors'] },
        text: 'It took | long. Status: 408.',
      },
    ])
  })
})
