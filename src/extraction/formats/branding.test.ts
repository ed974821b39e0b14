import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readPage } from '../../content/content.ts'
import { buildParts, pageParts } from '../page-parts/parts.ts'
import { branding } from './branding.ts'

const font = { family: 'Inter, sans-serif', size: 16, weight: 400, lineHeight: 24 }
const body = {
  ...{ kind: 'page', tag: 'body', text: '', textLength: 0, color: 'rgb(0, 0, 0)', radius: '0px', font },
  ...{ background: 'rgb(255, 255, 255)', behind: [], padding: [0, 0, 0, 0], margin: [0, 0, 0, 0] },
  ...{ rect: { x: 0, y: 0, width: 1280, height: 800 }, place: 'body', isConsent: false },
}
const styles = {
  ...{
    url: 'https://acme.example/',
    viewport: { width: 1280, height: 800 },
    page: { width: 1280, height: 800 },
  },
  ...{ isDarkCanvas: false, elements: [body], variables: [], fontFaces: [], logos: [], organization: {} },
}

async function render(captures: object | undefined) {
  const url = 'https://acme.example/'
  const page = {
    ...{ requestedUrl: url, url, status: 200, headers: { 'content-type': 'text/html' } },
    ...{ bytes: Buffer.from('<p>Text</p>'), fetchedAt: 0, captures },
  }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  // The format reads only `page` from the context. Cached captures may have any shape.
  const context = { page } as unknown as Parameters<typeof branding.render>[2]
  return branding.render(pageParts(await buildParts(readPage(context.page, options), url, {})), {}, context)
}

describe('branding format', () => {
  it('requests the styles of the open page', () => {
    expect(branding.captures?.({})).toEqual({ styles: true })
  })

  it('returns a result that matches its output schema', async () => {
    const rendered = await render({ styles })
    expect(z.strictObject(branding.output).parse(rendered)).toEqual(rendered)
    expect(rendered).toMatchObject({ branding: { colorScheme: 'light', colors: { background: '#FFFFFF' } } })
  })

  it.each([
    ['opened in a browser', undefined],
    ['opened in a browser', {}],
    ['could not be read', { styles: { ...styles, elements: [] } }],
    ['could not be read', { styles: { ...styles, elements: [{ kind: 'nonsense' }] } }],
    ['could not be read', { styles: 'nonsense' }],
  ])('is unavailable with a reason: %s', async (reason, captures) => {
    expect(await render(captures)).toEqual({ unavailable: expect.stringContaining(reason) })
  })
})
