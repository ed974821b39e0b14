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
