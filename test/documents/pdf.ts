import { deflateSync } from 'node:zlib'

export interface PdfLine {
  text: string
  x?: number
  /** Distance from the top of the page. */
  y: number
  size?: number
  bold?: boolean
}

export interface PdfPage {
  lines?: PdfLine[]
  /** Raw operators, for content other than lines. */
  draw?: string
}

const [width, height] = [595, 842]

export interface PdfOptions {
  encrypted?: boolean
  extra?: string
  /** Info dictionary, which contains the title. */
  info?: string
  /** True if the info dictionary is in a compressed object stream, as newer programs write it. */
  packsInfo?: boolean
  /** Metadata in XMP format. */
  xmp?: string
}

/** Returns a PDF with these pages, in fonts that every reader has. */
export function pdf(pages: PdfPage[], options: PdfOptions = {}): Buffer {
  const objects: (string | Buffer)[] = []
  const add = (object: string | Buffer) => objects.push(object)
  const kids = pages.map((_, index) => `${5 + index * 2} 0 R`)
  const next = 5 + pages.length * 2
  add(`<< /Type /Catalog /Pages 2 0 R ${options.xmp ? `/Metadata ${next} 0 R` : ''} >>`)
  add(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>')
  for (const [index, page] of pages.entries()) {
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${6 + index * 2} 0 R ` +
        `/Resources << /Font << /F1 3 0 R /F2 4 0 R >> ${options.extra ?? ''} >> >>`,
    )
    const packed = deflateSync(Buffer.from((page.lines ?? []).map(operators).join('\n') + (page.draw ?? '')))
    add(stream(packed, '/Filter /FlateDecode'))
  }
  if (options.xmp) add(stream(Buffer.from(options.xmp), '/Type /Metadata /Subtype /XML'))
  const infoNumber = objects.length + 1
  if (options.info !== undefined && options.packsInfo) {
    const objectIndex = `${infoNumber + 1} 0 `
    const packed = deflateSync(Buffer.from(objectIndex + options.info, 'latin1'))
    add(stream(packed, `/Type /ObjStm /N 1 /First ${objectIndex.length} /Filter /FlateDecode`))
  } else if (options.info !== undefined) add(Buffer.from(options.info, 'latin1'))
  const info =
    options.info === undefined ? '' : `/Info ${options.packsInfo ? infoNumber + 1 : infoNumber} 0 R`
  return file(objects, options.encrypted ?? false, info)
}

export function stream(content: Buffer, dictionary: string): Buffer {
  const header = Buffer.from(`<< /Length ${content.length} ${dictionary} >>\nstream\n`)
  return Buffer.concat([header, content, Buffer.from('\nendstream')])
}

function operators({ text, x = 60, y, size = 11, bold = false }: PdfLine): string {
  const escaped = text.replace(/[\\()]/g, '\\$&')
  return `BT /${bold ? 'F2' : 'F1'} ${size} Tf 1 0 0 1 ${x} ${height - y} Tm (${escaped}) Tj ET`
}

function file(objects: (string | Buffer)[], isEncrypted: boolean, info: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let size = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ])
    offsets.push(size)
    parts.push(part)
    size += part.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const encryption = isEncrypted
    ? `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> /ID [<00> <00>]`
    : ''
  const trailer =
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}` +
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${encryption} ${info} >>\nstartxref\n${size}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(trailer)])
}
