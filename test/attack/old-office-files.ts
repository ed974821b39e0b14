import { readOle } from '../../src/documents/ole.ts'
import { doc, docxParts, ppt, xls } from '../documents/office.ts'
import { ole } from '../documents/ole.ts'
import { zip } from '../documents/zip.ts'
import { randomSource } from './random.ts'

/** Resources that a program would access if it ran or followed the content of a file. */
export interface Targets {
  /** URL of a server that counts connections. */
  url: string
  /** Path of a file that a command would create. */
  path: string
}

export interface OfficeFile {
  name: string
  bytes: (targets: Targets) => Buffer
}

const kinds: Record<string, () => Buffer> = {
  doc: () => doc('The lamp was lit at dusk.'),
  xls: () => xls(),
  ppt: () => ppt('Lamps'),
}

/** Returns the file with additional streams. */
function withStreams(plain: Buffer, added: Record<string, string>): Buffer {
  const file = readOle(plain)
  const streams = (file?.streams ?? [])
    .filter(({ name }) => name !== 'Root Entry')
    .map((stream) => [stream.name, file?.read(stream, stream.size) ?? Buffer.alloc(0)] as const)
  const extra = Object.entries(added).map(([name, text]) => [name, Buffer.from(text, 'latin1')] as const)
  return ole(Object.fromEntries([...streams, ...extra]))
}

const macro = ({ url, path }: Targets) =>
  `Attribute VB_Name = "ThisDocument"\r\nSub AutoOpen()\r\nShell "touch ${path}"\r\nShell "curl ${url}"\r\nEnd Sub\r\n`
const packaged = ({ path }: Targets) =>
  `\x02\x00a.sh\x00/tmp/a.sh\x00\x00\x00\x03\x00\x0a\x00\x00\x00/tmp/a.sh\x00#!/bin/sh\ntouch ${path}\n`

const addedStreams: Record<string, (targets: Targets) => Record<string, string>> = {
  macros: (targets) => ({
    ...{ Macros: '', VBA: '', dir: macro(targets), _VBA_PROJECT: '\xcc\x61\xff\xff\x00' },
    ...{ ThisDocument: macro(targets), PROJECT: 'ID="{0}"\r\nDocument=ThisDocument/&H00000000' },
  }),
  'an embedded package': (targets) => ({
    ...{ ObjectPool: '', '\x01Ole10Native': packaged(targets), '\x01CompObj': 'Package' },
  }),
  'a linked object': ({ url }) => ({
    '\x01Ole': `\x01\x00\x00\x02\x01\x00\x00\x00${url}/object`,
    '\x03LinkInfo': `${url}/link`,
  }),
  'encrypted parts': () => ({ EncryptedPackage: 'x', EncryptionInfo: 'x' }),
}

const fields = ({ url, path }: Targets) => [
  `DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k touch ${path}"`,
  `DDE /bin/sh "-c touch ${path}"`,
  `INCLUDETEXT "${url}/text"`,
  'INCLUDETEXT "file:///etc/passwd"',
  'INCLUDETEXT "/etc/passwd"',
  `INCLUDEPICTURE "${url}/picture.png" \\d`,
  `LINK Word.Document "${url}/a.doc"`,
  `IMPORT "${url}/a.wmf"`,
  `HYPERLINK "${url}/page"`,
]

const fieldCount = fields({ url: '', path: '' }).length

/** Changes numbers of the container. The service must reject or read each file within its bounds. */
const damages: Record<string, (bytes: Buffer) => void> = {
  'a table that is one cycle': (bytes) => fillTable(bytes, () => 0),
  'a table of sectors that lead to themselves': (bytes) => fillTable(bytes, (sector) => sector),
  'a table of the largest numbers': (bytes) => fillTable(bytes, () => 0xfffffff0),
  'a list of tables that leads to itself': (bytes) => {
    bytes.writeUInt32LE(0, 68)
    bytes.writeUInt32LE(0xffffffff, 72)
  },
  'counts of sectors beyond the file': (bytes) => {
    for (const offset of [40, 44, 64, 72]) bytes.writeUInt32LE(0xffffffff, offset)
  },
  'a directory tree that is a cycle': (bytes) => fillDirectory(bytes, [68, 72, 76], () => 1),
  'entries that are their own children': (bytes) => fillDirectory(bytes, [68, 72, 76], (index) => index),
  'streams of four gigabytes': (bytes) => fillDirectory(bytes, [120], () => 0xffffffff),
  'names of 65,535 bytes': (bytes) => {
    eachEntry(bytes, (entry) => bytes.writeUInt16LE(0xffff, entry + 64))
  },
  'all small streams': (bytes) => bytes.writeUInt32LE(0xffffffff, 56),
  'sectors of 4 KB': (bytes) => bytes.writeUInt16LE(12, 30),
  'sectors of two gigabytes': (bytes) => bytes.writeUInt16LE(31, 30),
}

function fillTable(bytes: Buffer, next: (sector: number) => number): void {
  const table = (bytes.readUInt32LE(76) + 1) * 512
  for (let sector = 0; sector < 128; sector += 1) bytes.writeUInt32LE(next(sector), table + sector * 4)
}

function eachEntry(bytes: Buffer, change: (entry: number, index: number) => void): void {
  const directory = (bytes.readUInt32LE(48) + 1) * 512
  for (let index = 0; index < 3; index += 1) change(directory + index * 128, index)
}

function fillDirectory(bytes: Buffer, offsets: number[], value: (index: number) => number): void {
  eachEntry(bytes, (entry, index) => {
    for (const offset of offsets) bytes.writeUInt32LE(value(index), entry + offset)
  })
}

function damaged(kind: string, change: (bytes: Buffer) => void): Buffer {
  const bytes = kinds[kind]?.() ?? Buffer.alloc(0)
  change(bytes)
  return bytes
}

/** Changes a few random bytes of the file. */
function shuffled(kind: string, seed: number): Buffer {
  const random = randomSource(seed)
  return damaged(kind, (bytes) => {
    for (let count = 1 + random.below(20); count > 0; count -= 1) {
      bytes[random.below(bytes.length)] = random.below(2) ? 0xff : random.below(256)
    }
  })
}

function docxWithLinks({ url }: Targets): Buffer {
  const parts = docxParts('<w:p><w:r><w:t>The lamp was lit at dusk.</w:t></w:r></w:p>')
  const space = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const links = ['attachedTemplate', 'oleObject', 'image', 'frame', 'subDocument'].flatMap(
    (type, typeIndex) =>
      [`${url}/${type}`, 'file:///etc/passwd'].map(
        (target, index) =>
          `<Relationship Id="x${typeIndex}${index}" Type="${space}/${type}" Target="${target}" TargetMode="External"/>`,
      ),
  )
  const name = 'word/_rels/document.xml.rels'
  return zip({
    ...parts,
    [name]: parts[name]?.replace('</Relationships>', `${links.join('')}</Relationships>`) ?? '',
  })
}

const rtfWithLinks = ({ url, path }: Targets) =>
  Buffer.from(
    `{\\rtf1{\\*\\template ${url}/t}{\\field{\\*\\fldinst INCLUDEPICTURE "${url}/p"}{\\fldrslt x}}` +
      `{\\object\\objautlink\\objupdate{\\*\\objclass Package}{\\*\\objdata ${Buffer.from(`touch ${path}`).toString('hex')}}}` +
      'The lamp was lit at dusk.}',
  )

const names = Object.keys(kinds)

export const officeFiles: Record<string, OfficeFile> = Object.fromEntries([
  ...names.flatMap((kind) =>
    Object.entries(addedStreams).map(([name, streams]) => [
      `${kind}: ${name}`,
      file(kind, (targets) => withStreams(kinds[kind]?.() ?? Buffer.alloc(0), streams(targets))),
    ]),
  ),
  ...Array.from({ length: fieldCount }, (_, index) => [
    `doc: field ${index}`,
    file('doc', (targets) => doc(`The lamp \x13${fields(targets)[index]}\x14was lit\x15 at dusk.`)),
  ]),
  ['doc: fields in fields', file('doc', () => doc(`${'\x13 DDE '.repeat(5000)}x${'\x15'.repeat(5000)}`))],
  ['docx: external relationships', file('docx', docxWithLinks)],
  ['rtf: objects and templates', file('rtf', rtfWithLinks)],
  ...names.flatMap((kind) =>
    Object.entries(damages).map(([name, change]) => [
      `${kind}: ${name}`,
      file(kind, () => damaged(kind, change)),
    ]),
  ),
  ...Array.from({ length: 300 }, (_, seed) => {
    const kind = names[seed % names.length] ?? 'doc'
    return [`${kind}: random bytes ${seed}`, file(kind, () => shuffled(kind, seed))]
  }),
])

function file(extension: string, bytes: OfficeFile['bytes']): OfficeFile {
  return { name: `a.${extension}`, bytes }
}
