import { createHash } from 'node:crypto'

/** Reserved device names of Windows, which cannot be file names. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i
/**
 * Control characters, characters that change the text direction, path separators, and characters that shells expand.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}<>:"/\\|?*%~$`]+/gu
/**
 * Maximum bytes of a name. With an extension, a hash and the suffix of a temporary file, it fits the limit of 255
 * bytes.
 */
const maxBytes = 180
const maxFolders = 8
/** Extensions of written files. A folder never has a name with such an extension, so it cannot collide with a file. */
const fileExtension = /\.(?:md|html|json|part)$/i

/**
 * Returns folders and a file name for the URL of a page. They are safe on any system and cannot leave the output
 * folder.
 */
export function toFilePath(pageUrl: string): string[] {
  const url = URL.canParse(pageUrl) ? new URL(pageUrl) : undefined
  if (!url) return [safeName(pageUrl, 'page')]
  const isFolder = url.pathname.endsWith('/')
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const page = isFolder ? 'index' : (parts.pop() ?? 'index')
  const stem = page.replace(/\.(?:html?|md)$/i, '') || page
  const query = url.search === '' ? '' : `-${url.search.slice(1)}`
  const fileName = `${stem}${query}${url.hash.replace('#', '-')}`
  const folders = [url.host, ...parts.slice(0, maxFolders)].map((part) => safeName(part, '_'))
  return [
    ...folders.map((part) => (fileExtension.test(part) ? `${part}_` : part)),
    safeName(fileName, 'page'),
  ]
}

/** Returns a hash that distinguishes pages whose URLs result in the same name. */
export function hashUrl(pageUrl: string): string {
  return createHash('sha256').update(pageUrl).digest('hex').slice(0, 8)
}

function safeName(part: string, fallback: string): string {
  const safe = decode(part)
    .normalize('NFC')
    .replaceAll(unsafe, '-')
    // Leading dots hide a file or refer to the parent folder. Some systems remove trailing dots.
    .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
  const short = shorten(safe, part)
  if (short === '') return fallback
  return reserved.test(short) ? `_${short}` : short
}

function shorten(name: string, original: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  let bytes = 0
  let prefix = ''
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes - 10) break
    prefix += character
  }
  return `${prefix}-${hashUrl(original)}`
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
