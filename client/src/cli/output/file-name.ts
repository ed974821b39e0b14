import { createHash } from 'node:crypto'

/** Names of systems that cannot be names of files there. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i
/** Control characters, marks that change the direction of what follows, and what separates or expands names. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}<>:"/\\|?*%~$`]+/gu
/** With an ending, a mark against collisions and that of a file being written it stays below the 255 of file systems. */
const maxBytes = 180
const maxFolders = 8
/** A folder never has a name that a file can have. */
const endingOfFile = /\.(?:md|html|json|part)$/i

/** Folders and name for the file of a page, made from its address: safe on any system, never above the first folder. */
export function filePathOf(address: string): string[] {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url) return [safeName(address, 'page')]
  const isFolder = url.pathname.endsWith('/')
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const page = isFolder ? 'index' : (parts.pop() ?? 'index')
  const named = page.replace(/\.(?:html?|md)$/i, '') || page
  const query = url.search === '' ? '' : `-${url.search.slice(1)}`
  const last = `${named}${query}${url.hash.replace('#', '-')}`
  const folders = [url.host, ...parts.slice(0, maxFolders)].map((part) => safeName(part, '_'))
  return [...folders.map((part) => (endingOfFile.test(part) ? `${part}_` : part)), safeName(last, 'page')]
}

/** Tells pages apart whose addresses make the same name. */
export function markOf(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 8)
}

function safeName(part: string, otherwise: string): string {
  const safe = decoded(part)
    .normalize('NFC')
    .replaceAll(unsafe, '-')
    // Dots at the start hide a file or lead upwards; at the end some systems drop them.
    .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
  const short = shortened(safe, part)
  if (short === '') return otherwise
  return reserved.test(short) ? `_${short}` : short
}

function shortened(name: string, whole: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  let bytes = 0
  let kept = ''
  for (const sign of name) {
    bytes += Buffer.byteLength(sign)
    if (bytes > maxBytes - 10) break
    kept += sign
  }
  return `${kept}-${markOf(whole)}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
