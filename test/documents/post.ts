import { deflateSync } from 'node:zlib'
import { LiteParse } from '@llamaindex/liteparse'
import sharp from 'sharp'
import { inject } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { pdf } from './pdf.ts'

export interface ParseOptions {
  name?: string
  options?: unknown
  type?: string
}

export interface ParseResponse {
  status: number
  body: Json
}

/** Sends a file to the deployment under test. */
export async function post(content: Buffer | string, options: ParseOptions = {}): Promise<ParseResponse> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(content)], { type: options.type ?? '' }), options.name ?? 'file')
  if (options.options !== undefined) {
    form.append(
      'options',
      typeof options.options === 'string' ? options.options : JSON.stringify(options.options),
    )
  }
  return postForm(form)
}

export async function postForm(form: FormData): Promise<ParseResponse> {
  const { urls } = inject('deployment')
  const headers = { authorization: `Bearer ${teamKey()}` }
  const response = await fetch(`${urls[0]}/v2/parse`, { method: 'POST', headers, body: form })
  return { status: response.status, body: (await response.json()) as Json }
}

export const lamps = pdf([
  {
    lines: [
      { text: 'Report on lamps', y: 80, size: 20 },
      { text: 'The lamp was lit at dusk.', y: 120 },
    ],
  },
  { lines: [{ text: 'It burned until dawn and nobody came.', y: 120 }] },
  { lines: [{ text: 'The third page is short.', y: 120 }] },
])

/**
 * Returns the second page of `lamps` as an image. The parser renders it, so that fonts of the machine have no effect.
 */
export async function picture(): Promise<Buffer> {
  const [page] = await new LiteParse({ dpi: 150, quiet: true, ocrEnabled: false }).screenshot(lamps, [2])
  return page?.imageBuffer ?? Buffer.alloc(0)
}

/** Returns a PDF with a single page that contains this image. */
export async function scan(): Promise<Buffer> {
  const greyscale = sharp(await picture())
    .greyscale()
    .raw()
  const { data, info } = await greyscale.toBuffer({ resolveWithObject: true })
  const image = `BI /W ${info.width} /H ${info.height} /BPC 8 /CS /G /F [/AHx /Fl]\nID ${deflateSync(data).toString('hex')}>\nEI`
  return pdf([{ draw: `\nq 595 0 0 842 0 0 cm\n${image}\nQ\n` }])
}
