import type { ConvertedDocument, ConvertOptions } from '../document.ts'
import type { OleFile } from '../ole.ts'

/** Document type: name, detection, checks and converter. */
export type DocumentType = CommonFields &
  (((BinaryType | PackageType | CompoundType) & ConvertedType) | (TextType & (ConvertedType | PageType)))

interface CommonFields {
  /** Name in error messages. */
  name: string
  /** Extensions in lower case, without the dot. */
  extensions: readonly string[]
  /** Media types in lower case. The first media type is the content type of files of this type. */
  mediaTypes: readonly [string, ...string[]]
  /**
   * Priority if several types match a file, because a package may contain parts of several programs. The type with the
   * highest precedence is used; default 0.
   */
  precedence?: number
  /**
   * True if plain text with a name of this type is read as text, because the programs of this type also open plain
   * text.
   */
  allowsPlainText?: true
  /**
   * Checks the bytes before any library reads them, in addition to the checks of its container; throws a
   * DocumentProblem.
   */
  check?(bytes: Buffer): void
}

/** Type that is detected by its first bytes. */
interface BinaryType {
  container: 'binary'
  matchesStart(start: FileStart): boolean
  /** Start of the file if a browser displayed its bytes as text, in any case. */
  textSignature?: RegExp
}

/** Zip file. A declared media type decides; only packages without one are inspected. */
interface PackageType {
  container: 'zip'
  isPackage?(parts: PackageParts): boolean
  /** Checks a markup part, in packages of every type, because a package may contain parts of several types. */
  checkPart?(name: string, part: Buffer): void
}

export interface PackageParts {
  has(name: string): boolean
  hasFolder(name: string): boolean
}

/** Compound file, which older office programs write. */
interface CompoundType {
  container: 'ole'
  isCompound(hasStream: (name: string) => boolean): boolean
  /** Returns true if a password protects the file, by the markers that its program leaves unencrypted. */
  isEncrypted?(file: OleFile): boolean
}

/** Plain text. It has no signature, so its name or content type identifies it, unless it is markup. */
interface TextType {
  container: 'text'
  /** Returns true if the text begins like this type. Comments and the XML declaration are already removed. */
  isMarkup?(start: string): boolean
  /**
   * True for the type of any other text. Its label is not significant, because servers use it for unknown files.
   * Exactly one type has this flag.
   */
  isAnyText?: true
}

/** Type that is converted in a child process. */
interface ConvertedType {
  /** Loads the converter on first use, because its libraries are not used elsewhere. */
  converter(): Promise<{ convert: Convert }>
  /** Result if the caller requested no parsing: the file itself, or an error; converted text if undefined. */
  withoutParsers?: 'raw' | { error: string }
}

/** Type that is read like a web page, with its first media type. */
interface PageType {
  converter?: never
  /** True if the charset is detected from the bytes, because the text does not declare it as markup does. */
  detectsCharset?: true
}

/** Converter of the bytes of one file. */
type Convert = (bytes: Buffer, type: DocumentType, options: ConvertOptions) => Promise<ConvertedDocument>

export function defineDocumentType(type: DocumentType): DocumentType {
  return type
}

type Container = DocumentType['container']
type TypeFields<Type> = Type extends DocumentType ? Omit<Type, 'name' | 'container'> : never

/** Defines the types of one container, by name. */
export function typesOf<In extends Container, Name extends string>(
  container: In,
  rows: Record<Name, TypeFields<Extract<DocumentType, { container: In }>>>,
): Record<Name, DocumentType> {
  const types = Object.entries(rows).map(([name, row]) => [name, { ...(row as object), name, container }])
  // Each row has the remaining fields of a type of this container.
  return Object.fromEntries(types) as Record<Name, DocumentType>
}

/** First kilobyte of a file, one character per byte. */
export interface FileStart {
  text: string
  /** Text without the leading white space that some writers add. */
  trimmed: string
  /** Returns true if the file begins with one of these signatures, with or without leading white space. */
  begins(...signatures: string[]): boolean
}

export function readFileStart(bytes: Buffer): FileStart {
  const text = bytes.toString('latin1', 0, 1024)
  const trimmed = text.replace(/^(?:\xef\xbb\xbf)?\s+/, '')
  return {
    text,
    trimmed,
    begins: (...signatures) =>
      signatures.some((signature) => text.startsWith(signature) || trimmed.startsWith(signature)),
  }
}
