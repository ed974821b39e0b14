import { type Handler, type Routes, send } from '../route.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<harbours><harbour delay="0">Harlingen</harbour><harbour delay="35">Nes</harbour></harbours>
`

export const fileRoutes: Routes = {
  '/files/plain.txt': file('text/plain; charset=utf-8', 'Plain text, <b>not markup</b>.\nSecond line – é.\n'),
  '/files/values.json': file(
    'application/json',
    JSON.stringify({ harbour: 'Nes', delay: 35, tides: [1, 2] }),
  ),
  '/files/harbours.xml': file('application/xml', xml),
  '/files/harbours.csv': file('text/csv; charset=utf-8', 'harbour,delay\nHarlingen,0\n"Nes, Ameland",35\n'),
  '/files/paper.pdf': file('application/pdf', tinyPdf('A tiny real PDF.')),
  '/files/pixel.png': file('image/png', pixel),
  '/files/unknown.bin': file(
    'application/octet-stream',
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  ),
  '/files/untyped': ({ response }) => response.writeHead(200).end('<p>No content type at all.</p>'),
  '/files/download.html': file(
    'text/html',
    '<p>Meant to be saved.</p>',
    'attachment; filename="download.html"',
  ),
  '/favicon.ico': file('image/png', pixel),
}

function file(type: string, body: string | Buffer, disposition?: string): Handler {
  const headers = { 'content-type': type, ...(disposition && { 'content-disposition': disposition }) }
  return ({ response }) => send(response, headers, body)
}

/**
 * Returns a PDF with one page and one line of text. Offsets in the cross-reference table must be correct, so they are
 * computed.
 */
function tinyPdf(text: string) {
  const content = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = pdf.length
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
  return Buffer.from(pdf + table + trailer, 'latin1')
}
