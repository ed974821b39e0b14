export { doc, docx, ppt, pptx, rtf, xls, xlsb, xlsx } from './office.ts'
export { epub, odp, ods, odt } from './open-document.ts'
export { image, pdf } from './page.ts'
export { csv, html, json, md, tsv, txt, xhtml, xml } from './text.ts'
