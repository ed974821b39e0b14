import { afterAll, beforeAll, describe, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const sentence = (number: number) =>
  `Keeper number ${number} wrote down every ship that passed the tower, and the weather of that hour.`
const story = Array.from({ length: 12 }, (_, number) => `<p>${sentence(number)}</p>`).join('')
const menu = ['Home', 'Ships', 'Towers', 'Shop', 'About us']
  .map((name) => `<li><a href="/${name}">${name}</a></li>`)
  .join('')

const keepers = `<html><head><title>Keepers</title></head><body>
  <header><nav><ul>${menu}</ul></nav></header>
  <main><article><h1>Keepers</h1>${story}
  <p hidden>Nobody sees this sentence about the keepers of the tower.</p>
  <p class="note">A note of the editor that the caller does not want.</p></article></main>
  <footer><p>Copyright of the harbour office. All rights reserved.</p><ul>${menu}</ul></footer>
  </body></html>`

const many = `<html><head><title>Many</title></head><body><main><h1>Many</h1>${Array.from(
  { length: 6000 },
  (_, line) => `<p>Line ${line} of the log of the tower, written at night.</p>`,
).join('')}</main></body></html>`

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/keepers': (exchange) => sendHtml(exchange, keepers),
      '/many': (exchange) => sendHtml(exchange, many),
    },
  })
})
afterAll(() => site.stop())

async function blocksOf(path: string, options: object = {}): Promise<Json> {
  const { body } = await scrape({ url: `${site.url}${path}`, formats: ['markdown', 'blocks'], ...options })
  const { textBlocks: blocks, ...rest } = body.data
  return { ...rest, blocks }
}

const findBlock = (blocks: Json[], text: string): Json => blocks.find((block) => block.text.startsWith(text))

describe('blocks', () => {
  it('marks the blocks of the page that are in the Markdown, and why the others are not', async ({
    expect,
  }) => {
    const { blocks, markdown } = await blocksOf('/keepers', { excludeTags: ['.note'] })
    const reason = (text: string) => {
      const { isKept, reason } = findBlock(blocks, text)
      return isKept ? 'kept' : reason
    }
    expect({
      title: reason('Keepers'),
      story: reason('Keeper number 5'),
      menu: reason('Ships'),
      hidden: reason('Nobody'),
      note: reason('A note'),
      footer: reason('Copyright'),
    }).toEqual({
      title: 'kept',
      story: 'kept',
      menu: 'not main content',
      hidden: 'hidden on the page',
      note: 'excludeTags',
      footer: 'not main content',
    })
    for (const { text, isKept } of blocks) if (isKept) expect(markdown).toContain(text)
    expect(findBlock(blocks, 'Keeper number 5').probability).toBeGreaterThan(
      findBlock(blocks, 'Copyright').probability,
    )
  })

  it('have selectors that find them on the page', async ({ expect }) => {
    const { blocks } = await blocksOf('/keepers')
    expect(findBlock(blocks, 'Keeper number 5').selector).toBe(
      'body > main:nth-of-type(1) > article:nth-of-type(1) > p:nth-of-type(6)',
    )
    const { markdown } = await blocksOf('/keepers', {
      includeTags: [findBlock(blocks, 'Copyright').selector],
    })
    expect(markdown.trim()).toBe('Copyright of the harbour office. All rights reserved.')
  })

  it('outside includeTags have that reason, and no probability', async ({ expect }) => {
    const { blocks } = await blocksOf('/keepers', { includeTags: ['footer p'] })
    expect(findBlock(blocks, 'Copyright')).toMatchObject({ isKept: true })
    expect(findBlock(blocks, 'Keeper number 5')).toMatchObject({
      isKept: false,
      reason: 'outside includeTags',
    })
    expect(blocks.some((block: Json) => 'probability' in block)).toBe(false)
  })

  it('have the same reasons as the trace of the job', async ({ expect }) => {
    const { blocks, metadata } = await blocksOf('/keepers', { excludeTags: ['.note'], maxAge: 0 })
    const { body } = await call('GET', `/v2/jobs/${metadata.scrapeId}/trace`)
    const read = body.data.steps.find(({ step }: Json) => step === 'read')
    const tracedReasons = read.leftOut.map(({ reason }: Json) => reason).sort()
    const blockReasons = new Set(blocks.flatMap((block: Json) => block.reason ?? []))
    expect([...blockReasons].sort()).toEqual(tracedReasons)
  })

  it('are limited to MAX_BLOCKS, with a warning', async ({ expect }) => {
    const { blocks, warning } = await blocksOf('/many')
    expect(blocks).toHaveLength(5000)
    expect(warning).toContain('6001 blocks; the first 5000 are shown (MAX_BLOCKS)')
  })

  it('are not available for files and plain text', async ({ expect }) => {
    const file = await blocksOf('/files/paper.pdf')
    expect(file.blocks).toBeUndefined()
    expect(file.warning).toContain('blocks: the URL is a file')
    const text = await blocksOf('/files/plain.txt')
    expect(text.blocks).toBeUndefined()
    expect(text.warning).toContain('blocks: the page is not HTML')
  })
})
