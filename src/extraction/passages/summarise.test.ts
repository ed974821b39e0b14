import { describe, expect, it } from 'vitest'
import { loadLanguage } from '../text/languages.ts'
import { pageSentences } from './markdown-blocks.ts'
import { summarise } from './summarise.ts'

async function summaryOf(markdown: string, { code = 'en', title = '', description = '' } = {}) {
  const language = { ...(await loadLanguage(code)), code }
  return summarise(pageSentences(markdown, language), { title, description }, language)
}

const article = `# The harbour of Ostend

We use cookies on this site for you.

The harbour of Ostend is the oldest harbour on the Belgian coast. Fishing boats have used the harbour since the 15th century.
The town lives from its beach in summer.

## History

The harbour was rebuilt after the war of 1914, when its piers were destroyed. Ferries to Dover left the harbour until 2013.
My cat likes fish very much. The harbour of Ostend is the oldest harbour on the Belgian coast, people say.

- Bring warm clothes along, please.
`

describe('summarise', () => {
  it('returns the central sentences, in page order', async () => {
    const summary = await summaryOf(article, { title: 'The harbour of Ostend' })
    expect(summary).toMatch(/^The harbour of Ostend is the oldest harbour on the Belgian coast\. /)
    expect(summary).not.toMatch(/cookies|cat|clothes/)
    const sentences = summary.split('. ').map((sentence) => article.replaceAll('\n', ' ').indexOf(sentence))
    expect(sentences).toEqual([...sentences].sort((one, other) => one - other))
    expect(sentences).not.toContain(-1)
  })

  it('returns no sentence twice', async () => {
    const summary = await summaryOf(article)
    expect(summary.match(/oldest harbour/g)).toHaveLength(1)
  })

  it('supports Japanese', async () => {
    const japanese =
      '東京は晴れで、とても暑い一日になりました。大阪の天気は雨です。京都は曇りで、風が強いです。明日の天気は全国で晴れる見込みです。'
    const summary = await summaryOf(japanese, { code: 'ja' })
    expect(japanese).toContain(summary.split('。')[0])
    expect(summary).not.toContain('。 ')
  })

  it('returns the name, the description and the first entries of a shop', async () => {
    const shop = '# Mugs\n\n### [Blue mug](/1)\n\n€12\n\n### [Red mug](/2)\n\n€14'
    expect(await summaryOf(shop, { title: 'Mugs | Shop', description: 'Mugs made by hand.' })).toBe(
      'Mugs\nMugs made by hand.\nBlue mug\nRed mug',
    )
  })

  it('returns the first rows of a table', async () => {
    const table = '| Name | Depth |\n| --- | --- |\n| Ostend | 5 m |\n| Ghent | 12 m |'
    expect(await summaryOf(table, { title: 'Ports' })).toBe('Ports\nOstend; Depth: 5 m\nGhent; Depth: 12 m')
  })

  it('returns both sentences of a short text', async () => {
    expect(await summaryOf('The tide turns at noon today. Boats leave the harbour then.')).toBe(
      'The tide turns at noon today.\nBoats leave the harbour then.',
    )
  })

  it('returns an empty text for a page without text', async () => {
    expect(await summaryOf('')).toBe('')
    expect(await summaryOf('```\ncode\n```')).toBe('')
  })
})
