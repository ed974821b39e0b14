import { deflateSync } from 'node:zlib'
import { LiteParse } from '@llamaindex/liteparse'
import sharp from 'sharp'
import { pdf } from '../../test/documents/pdf.ts'

/**
 * Creates a PDF with an image of these lines. The PDF library renders them, so that fonts of the machine do not matter.
 */
export async function scanned(lines: readonly string[]): Promise<Buffer> {
  const textPdf = pdf([{ lines: lines.map((text, index) => ({ text, y: 100 + index * 40, size: 16 })) }])
  const reader = new LiteParse({ dpi: 150, quiet: true, ocrEnabled: false })
  const [page] = await reader.screenshot(textPdf, [1])
  const grayImage = sharp(page?.imageBuffer ?? Buffer.alloc(0))
    .greyscale()
    .raw()
  const { data, info } = await grayImage.toBuffer({ resolveWithObject: true })
  const image = `BI /W ${info.width} /H ${info.height} /BPC 8 /CS /G /F [/AHx /Fl]\nID ${deflateSync(data).toString('hex')}>\nEI`
  return pdf([{ draw: `\nq 595 0 0 842 0 0 cm\n${image}\nQ\n` }])
}
