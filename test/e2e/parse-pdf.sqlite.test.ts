import { describe, expect, it } from 'vitest'
import { startOwnService } from '../api.ts'
import { pdf } from '../documents/pdf.ts'
import { lamps, picture, post, scan } from '../documents/post.ts'

describe('PDF options', () => {
  const convert = (parser: object, formats = ['markdown']) =>
    post(lamps, { name: 'report.pdf', options: { formats, parsers: [{ type: 'pdf', ...parser }] } })

  it('without options, each page costs one credit', async () => {
    const { body } = await convert({})
    expect(body.data.metadata).toMatchObject({ numPages: 3, totalPages: 3, creditsUsed: 3 })
  })

  it('maxPages limits the pages and the price', async () => {
    const { body } = await convert({ maxPages: 2 })
    expect(body.data.metadata).toMatchObject({ numPages: 2, totalPages: 3, creditsUsed: 2 })
    expect(body.data.markdown).not.toContain('third page')
  })

  it('pages returns the Markdown of each page', async () => {
    const { body } = await convert({ pages: true })
    expect(body.data.pages).toHaveLength(3)
    expect(body.data.pages[1]).toEqual({ pageNumber: 2, markdown: 'It burned until dawn and nobody came.' })
  })

  it('blocks have spans in the Markdown of their page', async () => {
    const { body } = await convert({ blocks: true, pages: true })
    const [first] = body.data.blocks
    expect(first).toMatchObject({ pageNumber: 1, width: 595, height: 842, status: 'ok' })
    expect(first.items[0]).toMatchObject({
      id: 'p1.b0',
      type: 'heading',
      content: '# Report on lamps',
      source: 'text',
    })
    const [from, to] = first.items[1].markdownSpan
    expect(body.data.pages[0].markdown.slice(from, to)).toBe(first.items[1].content)
    expect(first.items[1].bbox.every((coordinate: number) => coordinate >= 0 && coordinate <= 1)).toBe(true)
  })

  it('pageMarkers marks each page', async () => {
    const { body } = await convert({ pageMarkers: true })
    expect(body.data.markdown).toMatch(/<!-- page 1 -->[\s\S]*---\n\n<!-- page 2 -->/)
  })

  it('an empty list of parsers returns the file itself, for one credit', async () => {
    const { body } = await post(lamps, {
      name: 'report.pdf',
      options: { parsers: [], formats: ['markdown', 'html'] },
    })
    expect(Buffer.from(body.data.markdown, 'base64').equals(lamps)).toBe(true)
    expect(body.data.html).toBe(body.data.markdown)
    expect(body.data.metadata.creditsUsed).toBe(1)
  })

  it('mode ocr recognises pages that contain text', async () => {
    const { body } = await convert({ mode: 'ocr', maxPages: 1, blocks: true })
    expect(body.data.markdown).toContain('Report on lamps')
    expect(body.data.blocks[0].items[0]).toMatchObject({ source: 'ocr' })
  })
})

describe('the metadata of a PDF', () => {
  const info =
    '<< /Title (Lamps \\(and oil\\) of \\326land) /Author <FEFF00C500730061> /Subject (Light) /Keywords (oil, gas) >>'
  const description =
    '<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" pdf:Keywords="tower &amp; sea">' +
    '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Lights of the north</rdf:li></rdf:Alt></dc:title>' +
    '<dc:creator><rdf:Seq><rdf:li>A. Keeper</rdf:li><rdf:li>B. Warden</rdf:li></rdf:Seq></dc:creator></rdf:Description>'
  const xmp =
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
  const page = { lines: [{ text: 'The lamp was lit at dusk.', y: 120 }] }
  const infoMetadata = {
    title: 'Lamps (and oil) of Öland',
    author: 'Åsa',
    description: 'Light',
    keywords: 'oil, gas',
  }

  it.each([
    ['in its dictionary', pdf([page], { info }), infoMetadata],
    ['in its dictionary, packed', pdf([page], { info, packsInfo: true }), infoMetadata],
    [
      'in XMP, and in its dictionary where that is silent',
      pdf([page], { info, xmp }),
      {
        title: 'Lights of the north',
        author: 'A. Keeper, B. Warden',
        description: 'Light',
        keywords: 'tower & sea',
      },
    ],
  ])('%s', async (_, bytes, expected) => {
    const { body } = await post(bytes, { name: 'report.pdf' })
    expect(body.data.metadata).toMatchObject(expected)
  })
})

describe('a scanned PDF', () => {
  const convert = async (mode: string) =>
    post(await scan(), { name: 'scan.pdf', options: { parsers: [{ type: 'pdf', mode }] } })

  it('is recognised in mode auto', async () => {
    expect((await convert('auto')).body.data.markdown).toMatch(/burned until dawn/)
  })

  it('is rejected in mode fast', async () => {
    const { status, body } = await convert('fast')
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'SCRAPE_PDF_OCR_REQUIRED' })
  })
})

describe('a service without a program for OCR', () => {
  it('returns 503 for a scan, and never an empty result', async () => {
    const service = await startOwnService({ TESSERACT_PATH: '/nowhere/tesseract' })
    try {
      for (const [name, content] of [
        ['scan.pdf', await scan()],
        ['scan.png', await picture()],
      ] as const) {
        const form = new FormData()
        form.append('file', new Blob([Uint8Array.from(content)]), name)
        const headers = { authorization: `Bearer ${service.key}` }
        const response = await fetch(`${service.url}/v2/parse`, { method: 'POST', headers, body: form })
        expect({ status: response.status, code: (await response.json()).code }).toEqual({
          status: 503,
          code: 'OCR_NOT_CONFIGURED',
        })
      }
    } finally {
      await service.remove()
    }
  })
})
