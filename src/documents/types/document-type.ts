import type { ConvertedDocument, ConvertOptions } from '../document.ts'
import type { OleFile } from '../ole.ts'

export type DocumentType = CommonFields &
  (((BinaryType | PackageType | CompoundType) & ConvertedType) | (TextType & (ConvertedType | PageType)))

interface CommonFields {
  name: string
  extensions: readonly string[]
  /** In lower case. The first one is the content type of files of this type. */
  mediaTypes: readonly [string, ...string[]]
  /** The highest matching type is used (default 0): a package may contain parts of several programs. */
  precedence?: number
  /** A text file with an extension of this type is read as text, as by the programs for this type. */
  allowsPlainText?: true
  check?(bytes: Buffer): void
}

interface BinaryType {
  container: 'binary'
  matchesStart(start: FileStart): boolean
  /** Start of the file after a browser displayed its bytes as text. Case is ignored. */
  textSignature?: RegExp
}

/** A declared media type decides; only packages without one are inspected. */
interface PackageType {
  container: 'zip'
  isPackage?(partNames: string[]): boolean
  /** Called for packages of every type, because a package may contain parts of several types. */
  checkPart?(name: string, part: Buffer): void
}

interface CompoundType {
  container: 'ole'
  isCompound(hasStream: (name: string) => boolean): boolean
  isEncrypted?(file: OleFile): boolean
}

/** Has no signature, so its name or content type identifies it, unless it is markup. */
interface TextType {
  container: 'text'
  /** Comments and the XML declaration are already removed from the start. */
  isMarkup?(start: string): boolean
  /** Exactly one type has this flag. Its media type is ignored, because servers use it for unknown files. */
  isAnyText?: true
}

interface ConvertedType {
  converter(): Promise<{ convert: Convert }>
  /** Response without parsing, on request: the file itself or an error; converted text if undefined. */
  withoutParsers?: 'raw' | { error: string }
}

interface PageType {
  converter?: never
  detectsCharset?: true
}

export type Convert = (
  bytes: Buffer,
  type: DocumentType,
  options: ConvertOptions,
) => Promise<ConvertedDocument>

export function defineDocumentType(type: DocumentType): DocumentType {
  return type
}

type TypeFields<Type> = Type extends DocumentType ? Omit<Type, 'name' | 'container'> : never

export function typesOf<In extends DocumentType['container'], Name extends string>(
  container: In,
  rows: Record<Name, TypeFields<Extract<DocumentType, { container: In }>>>,
): Record<Name, DocumentType> {
  const types = Object.entries(rows).map(([name, row]) => [name, { ...(row as object), name, container }])
  // Each row has the remaining fields of a type of this container.
  return Object.fromEntries(types) as Record<Name, DocumentType>
}

export function readFileStart(bytes: Buffer) {
  const text = bytes.toString('latin1', 0, 1024)
  const trimmed = text.replace(/^(?:\xef\xbb\xbf)?\s+/, '')
  return {
    text,
    trimmed,
    begins: (...signatures: string[]) =>
      signatures.some((signature) => text.startsWith(signature) || trimmed.startsWith(signature)),
  }
}

export type FileStart = ReturnType<typeof readFileStart>
