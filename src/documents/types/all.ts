export { doc, docx, epub, odp, ods, odt, ppt, pptx, rtf, xls, xlsb, xlsx } from './office.ts'
export { image, pdf } from './page.ts'
export { csv, html, json, md, tsv, txt, xhtml, xml } from './text.ts'
