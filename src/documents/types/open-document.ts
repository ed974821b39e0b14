import { typesOf } from './document-type.ts'

export const { odt, ods, odp, epub } = typesOf('zip', {
  odt: {
    extensions: ['odt', 'ott'],
    mediaTypes: ['application/vnd.oasis.opendocument.text'],
    converter: () => import('../word.ts'),
  },
  ods: {
    extensions: ['ods', 'ots'],
    mediaTypes: ['application/vnd.oasis.opendocument.spreadsheet'],
    converter: () => import('../spreadsheet.ts'),
  },
  odp: {
    extensions: ['odp', 'otp'],
    mediaTypes: ['application/vnd.oasis.opendocument.presentation'],
    converter: () => import('../slides.ts'),
  },
  epub: {
    extensions: ['epub'],
    mediaTypes: ['application/epub+zip'],
    isPackage: (parts) => parts.has('META-INF/container.xml'),
    converter: () => import('../book.ts'),
  },
})
