import type { ConvertedDocument, ConvertOptions } from '../document.ts'
import type { OleFile } from '../ole.ts'

/** A document type: its name, how it is detected, what is checked and how it is read. */
export type DocumentType = Facts &
  (((BinaryType | PackageType | CompoundType) & Converted) | (TextType & (Converted | AsPage)))

interface Facts {
  /** The name in messages. */
  name: string
  /** In lower case, without the dot. */
  extensions: readonly string[]
  /** In lower case. The first is the content type that a file of this type gets. */
  mediaTypes: readonly [string, ...string[]]
  /**
   * Where several types know a file as theirs, as a package may hold parts of several programs, it is of the one with the
   * highest; 0 where nothing is said.
   */
  precedence?: number
  /** A text that only claims to be of this type is read as text: the programs of this type open that too. */
  takesText?: true
  /** Checks the bytes before any library reads them, in addition to the checks of its container; throws a DocumentProblem. */
  check?(bytes: Buffer): void
}

/** A file that is detected by its first bytes. */
interface BinaryType {
  container: 'binary'
  beginsLike(start: FileStart): boolean
  /** What it begins with, in any case, where a browser has shown its bytes as text. */
  asText?: RegExp
}

/** A zip file. One that states a media type is what it states; only the others are looked into. */
interface PackageType {
  container: 'zip'
  isPackage?(parts: PackageParts): boolean
  /** The same for a part of markup, in packages of every type: one may hold parts of several. */
  checkPart?(name: string, part: Buffer): void
}

export interface PackageParts {
  has(name: string): boolean
  hasFolder(name: string): boolean
}

/** A compound file, which older office programs write. */
interface CompoundType {
  container: 'ole'
  isCompound(hasStream: (name: string) => boolean): boolean
  /** Whether a password protects it, by the marks that its program leaves in the clear. */
  isEncrypted?(file: OleFile): boolean
}

/** Bare text. It has no signature: its name or its label has to speak, unless it is markup. */
interface TextType {
  container: 'text'
  /** Whether it begins like this; comments and the declaration of XML are taken off. */
  isMarkup?(start: string): boolean
  /** It is whatever text is nothing else, and its label says nothing: servers give it to what they do not know. Exactly one is. */
  isAnyText?: true
}

/** Converted in a child process. */
interface Converted {
  /** Loads the converter with the first file that needs it: its libraries are not used elsewhere. */
  converter(): Promise<{ convert: Convert }>
  /** The result if the caller wants no parsing: the file itself, or an error; text anyway if undefined. */
  withoutParsers?: 'raw' | { refused: string }
}

/** Read like a web page, with its first media type. */
interface AsPage {
  converter?: never
  /** It does not say what it is encoded in, as markup does, so its bytes are looked at. */
  detectsCharset?: true
}

/** One file's bytes → what it says. */
type Convert = (bytes: Buffer, type: DocumentType, options: ConvertOptions) => Promise<ConvertedDocument>

export function defineDocumentType(type: DocumentType): DocumentType {
  return type
}

type Container = DocumentType['container']
type Row<Type> = Type extends DocumentType ? Omit<Type, 'name' | 'container'> : never

/** Types of one container, by their names. */
export function typesOf<In extends Container, Name extends string>(
  container: In,
  rows: Record<Name, Row<Extract<DocumentType, { container: In }>>>,
): Record<Name, DocumentType> {
  const types = Object.entries(rows).map(([name, row]) => [name, { ...(row as object), name, container }])
  // Each row has the rest of a type of this container.
  return Object.fromEntries(types) as Record<Name, DocumentType>
}

/** The first kilobyte of a file, a letter for each byte. */
export interface FileStart {
  text: string
  /** Without the blanks that some writers put first. */
  trimmed: string
  /** Whether it begins with one of these marks, with blanks before it or without. */
  begins(...marks: string[]): boolean
}

export function fileStart(bytes: Buffer): FileStart {
  const text = bytes.toString('latin1', 0, 1024)
  const trimmed = text.replace(/^(?:\xef\xbb\xbf)?\s+/, '')
  return {
    text,
    trimmed,
    begins: (...marks) => marks.some((mark) => text.startsWith(mark) || trimmed.startsWith(mark)),
  }
}
