import { describe, expect, it } from 'vitest'
import { readPage } from '../../src/content/content.ts'
import { addCounts, least, maxNoise, noCounts, readCorpus, scorePage } from './templates/score.ts'

function markdownOf({ html, url }: { html: string; url: string }): string {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return readPage(page, options).markdown()
}

describe('shops, forums and lists of real templates', () => {
  const all = noCounts()
  const templates = new Set<string>()
  for (const { template, html, truth } of readCorpus()) {
    templates.add(template)
    addCounts(all, scorePage(markdownOf({ html, url: truth.url }), truth))
  }

  it('cover at least twelve templates', () => {
    expect(templates.size).toBeGreaterThanOrEqual(12)
  })

  it.each(['names', 'prices', 'posts', 'rows', 'texts'] as const)('preserve their %s', (kind) => {
    const { found, all: total, wrong } = all[kind]
    expect(found / total, wrong.join('\n')).toBeGreaterThanOrEqual(least[kind])
  })

  it('contain little text of consent dialogs, newsletters and menus', () => {
    const { found, all: total, wrong } = all.noise
    expect(found / total, wrong.join('\n')).toBeLessThanOrEqual(maxNoise)
  })
})
