import { deflateSync } from 'node:zlib'
import { LiteParse } from '@llamaindex/liteparse'
import sharp from 'sharp'
import { pdf } from '../../test/documents/pdf.ts'

/** A PDF whose one page is a picture of these lines. The reader itself draws them, so that no font of the machine matters. */
export async function scanned(lines: readonly string[]): Promise<Buffer> {
  const written = pdf([{ lines: lines.map((text, at) => ({ text, y: 100 + at * 40, size: 16 })) }])
  const reader = new LiteParse({ dpi: 150, quiet: true, ocrEnabled: false })
  const [page] = await reader.screenshot(written, [1])
  const drawing = sharp(page?.imageBuffer ?? Buffer.alloc(0))
    .greyscale()
    .raw()
  const { data, info } = await drawing.toBuffer({ resolveWithObject: true })
  const image = `BI /W ${info.width} /H ${info.height} /BPC 8 /CS /G /F [/AHx /Fl]\nID ${deflateSync(data).toString('hex')}>\nEI`
  return pdf([{ draw: `\nq 595 0 0 842 0 0 cm\n${image}\nQ\n` }])
}
