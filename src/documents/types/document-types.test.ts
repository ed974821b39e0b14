import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import {
  doc,
  docx,
  epub,
  farCells,
  openDocument,
  ppt,
  pptx,
  sheetCells,
  xls,
  xlsx,
} from '../../../test/documents/office.ts'
import { pdf } from '../../../test/documents/pdf.ts'
import { typeNamed } from '../../../test/documents/type-named.ts'
import { zip } from '../../../test/documents/zip.ts'
import { checkDocument } from '../check.ts'
import { documentTypes } from '../index.ts'
import { readOle } from '../ole.ts'
import { sniff } from '../sniff.ts'
import { readZipDirectory } from '../zip.ts'
import { type DocumentType, readFileStart } from './document-type.ts'

/** Files of each type, as programs write them. Unless it is text, their bytes distinguish each type from the others. */
const samples: Record<string, (Buffer | string)[]> = {
  pdf: [pdf([{}]), Buffer.concat([Buffer.from('junk\n'), pdf([{}])])],
  docx: [docx()],
  doc: [doc('x')],
  odt: [openDocument('text', '')],
  rtf: ['{\\rtf1 x}', '\ufeff\n{\\rtf1 x}'],
  xlsx: [xlsx(sheetCells)],
  xlsb: [zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.bin': 'x', 'xl/worksheets/sheet1.bin': 'x' })],
  xls: [xls(), xls({ stream: 'BOOK' })],
  ods: [openDocument('spreadsheet', '')],
  pptx: [pptx()],
  ppt: [ppt('x')],
  odp: [openDocument('presentation', '')],
  epub: [epub(), zip({ 'META-INF/container.xml': '<container/>' })],
  csv: ['name;tons\nAurora;310\n'],
  tsv: ['name\ttons\nAurora\t310\n'],
  image: [...(await createImages()), bitmap()],
  html: ['<!-- x -->\n<!DOCTYPE html><title>x</title>', '<html><body>x'],
  xhtml: ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>x</body></html>'],
  md: ['# Fog\n\nNothing is *seen*.\n'],
  txt: ['Nothing is seen.\n', 'BMW builds cars.\n'],
  json: ['{"fog": true}'],
  xml: ['<fog>thick</fog>'],
}

async function createImages(): Promise<Buffer[]> {
  const image = sharp({ create: { width: 4, height: 4, channels: 3, background: 'white' } })
  const formats = ['png', 'jpeg', 'webp', 'tiff', 'gif'] as const
  return Promise.all(formats.map((format) => image.clone().toFormat(format).toBuffer()))
}

function bitmap(): Buffer {
  const bytes = Buffer.alloc(58)
  bytes.write('BM')
  bytes.writeUInt32LE(bytes.length, 2)
  return bytes
}

describe.each(documentTypes)('the type $name', (type) => {
  // Any line is a valid sample of a text type, because nothing in it has to identify the type.
  const typeSamples = samples[type.name] ?? (type.container === 'text' ? ['a = 1\n'] : [])
  const ownFiles = typeSamples.map((sample) => Buffer.from(sample))
  const others = documentTypes.filter((other) => other !== type)

  it('has names, extensions and media types that no other type has, in lower case', () => {
    for (const namesOf of [
      (one: DocumentType) => [one.name],
      (one: DocumentType) => one.extensions,
      (one: DocumentType) => one.mediaTypes,
    ]) {
      expect(namesOf(type).length).toBeGreaterThan(0)
      expect(namesOf(type)).toEqual(namesOf(type).map((name) => name.toLowerCase()))
      expect(others.flatMap(namesOf).filter((name) => namesOf(type).includes(name))).toEqual([])
    }
  })

  it('detects its own files, by bytes alone unless it is text', () => {
    expect(ownFiles.length).toBeGreaterThan(0)
    const labels = [
      ...type.extensions.map((extension) => ({ name: `a.${extension}`, mediaType: undefined })),
      ...type.mediaTypes.map((mediaType) => ({ name: '', mediaType: `${mediaType}; charset=utf-8` })),
      ...(type.container === 'text' ? [] : [{ name: '', mediaType: undefined }]),
    ]
    for (const bytes of ownFiles)
      for (const label of labels) expect(sniff({ bytes, ...label }).name).toBe(type.name)
  })

  it('matches no file of a type with the same or lower precedence', () => {
    const claimed = others
      .filter((other) => precedenceOf(other) <= precedenceOf(type))
      // Text types are detected by name before markup.
      .filter((other) => other.container !== 'text' || type.container !== 'text')
      .filter((other) => samples[other.name]?.some((sample) => matches(type, Buffer.from(sample))))
    expect(claimed.map(({ name }) => name)).toEqual([])
  })

  it('accepts its own files', () => {
    for (const bytes of ownFiles) expect(() => checkDocument(bytes, type)).not.toThrow()
  })

  it('defines only the detection fields of its own container', () => {
    const foreign = Object.entries(detectionFields).filter(([container]) => container !== type.container)
    const wrong = foreign.flatMap(([, names]) => names).filter((name) => name in type)
    expect(wrong).toEqual([])
  })

  it('has a loadable converter, unless it is read as a page', async () => {
    if (type.converter) expect((await type.converter()).convert).toBeTypeOf('function')
    else expect(type.container).toBe('text')
  })
})

const detectionFields = {
  binary: ['matchesStart', 'textSignature'],
  zip: ['isPackage', 'checkPart'],
  ole: ['isCompound', 'isEncrypted'],
  text: ['isMarkup', 'isAnyText'],
}

const precedenceOf = ({ precedence = 0 }: DocumentType) => precedence

function matches(type: DocumentType, bytes: Buffer): boolean {
  const start = readFileStart(bytes)
  if (type.container === 'binary') return type.matchesStart(start)
  if (type.container === 'text') return type.isMarkup?.(start.trimmed) === true
  if (type.container === 'zip') {
    const entries = readZipDirectory(bytes)
    return entries !== undefined && type.isPackage?.(entries.map(({ name }) => name)) === true
  }
  const file = start.begins('\xd0\xcf\x11\xe0') ? readOle(bytes) : undefined
  return file !== undefined && type.isCompound((name) => file.findStream(name) !== undefined)
}

describe('all types together', () => {
  it('include exactly one type for any text', () => {
    expect(documentTypes.filter((type) => type.container === 'text' && type.isAnyText)).toHaveLength(1)
  })

  it('are detected by the declared media type before the parts, then by precedence', () => {
    const typeOf = (parts: Record<string, string>) =>
      sniff({ bytes: zip(parts), name: '', mediaType: undefined }).name
    const mixedParts = { 'ppt/x': '', 'xl/x': '', 'word/x': '', 'META-INF/container.xml': '' }
    expect(typeOf({ ...mixedParts, mimetype: 'application/epub+zip' })).toBe('epub')
    expect(typeOf({ ...mixedParts, mimetype: 'application/vnd.oasis.opendocument.text-template' })).toBe(
      'odt',
    )
    expect(typeOf({ ...mixedParts, 'xl/workbook.bin': '' })).toBe('xlsb')
    expect(typeOf(mixedParts)).toBe('docx')
  })

  it('check their parts in packages of any type', () => {
    const bytes = zip({ 'word/document.xml': 'x', 'xl/worksheets/sheet1.xml': farCells })
    expect(() => checkDocument(bytes, typeNamed('docx'))).toThrow(/spans 17179869184 cells/)
  })

  it('load no library and no converter on import', () => {
    const loaded = loadedFrom(join(import.meta.dirname, '../is-document.ts'))
    expect(loaded).toContain(join(import.meta.dirname, 'page.ts'))
    expect([...loaded].filter((module) => !module.endsWith('.ts') && !module.startsWith('node:'))).toEqual([])
    expect(
      [...loaded].filter((module) => /\bexport (?:async function|const) convert\b/.test(sourceOf(module))),
    ).toEqual([])
  })
})

/** Matches imports that remain at run time; type imports do not. */
const statement = /^(?:import|export) (?:(?:\{[^}]*\}|\* as \w+) from )?'([^']+)'/gm

/** Returns the modules that a module loads, directly or indirectly. */
function loadedFrom(module: string, loaded = new Set<string>()): Set<string> {
  loaded.add(module)
  for (const [, target = ''] of sourceOf(module).matchAll(statement)) {
    const path = target.startsWith('.') ? join(dirname(module), target) : target
    if (!loaded.has(path)) loadedFrom(path, loaded)
  }
  return loaded
}

const sourceOf = (module: string) => (module.endsWith('.ts') ? readFileSync(module, 'utf8') : '')
