import { join } from 'node:path'
import sharp from 'sharp'
import { withTemporaryFolder, writeTemporaryFile } from '../../platform/temporary-files.ts'
import { DocumentProblem } from '../document.ts'
import { type Box, median, type RawPage, type Run } from '../pdf/shapes.ts'
import { installedLanguages, lookAt, recogniseFile, type Word } from './tesseract.ts'
import { withOcrTurn } from './turn.ts'

/** Maximum pixels of an image: more than a large scan has, less than what fills the memory. */
const maxPixels = 120_000_000
/** Letters of ordinary print are then about 30 pixels high, which tesseract reads best. */
const wantedSide = 2200
const maxEnlarged = 3
const maxSide = 3000
/** Smaller images cannot contain a letter, at any scale. */
const minSide = 24

/** Below this, the letters are probably not of the first language. */
const doubtful = 0.6

/** An image → a page of positioned words. */
export async function recognise(
  image: Buffer | string,
  page: { pageNumber: number; width?: number; height?: number },
  how: Recogniser,
): Promise<RawPage> {
  return withTemporaryFolder('ocr', async (folder) => {
    const path = join(folder, 'page.png')
    const { png, size } = await prepare(image)
    if (Math.min(size.width, size.height) < minSide) return pageOf([], size, page)
    await writeTemporaryFile(path, png)
    const { words, turn } = await withOcrTurn(how.signal, () => wordsOf(how, path))
    const lying = turn % 180 === 0 ? size : { width: size.height, height: size.width }
    const upright = turnUpright(words, lying)
    return pageOf(upright.words, upright.size, page)
  })
}

interface Recogniser {
  program: string
  signal: AbortSignal
}

/** The program is right about how a picture lies from here on. */
const sureMargin = 2
/** Text that is read upside down gives words of which half have a low confidence. */
const perhapsOnItsHead = 0.75

interface Reading {
  words: Word[]
  /** Degrees to the right that it was turned by before. */
  turn: number
}

/** The words of a picture, and how far it had to be turned for them. Lines on their side are read as they are. */
async function wordsOf(how: Recogniser, path: string): Promise<Reading> {
  const look = await lookAt(how.program, path, how.signal)
  const turn = look && look.margin >= sureMargin ? look.turn : 0
  const words = await inItsLanguage(how, await turned(path, turn), look?.script)
  if (words.length === 0 || sureness(words) > perhapsOnItsHead) return { words, turn }
  const first = { words, turn }
  try {
    return await again(how, path, first, look?.script)
  } catch (thrown) {
    // A partial result is better than none.
    if (how.signal.aborted) return first
    throw thrown
  }
}

/** Doubtful words once more: from the other side, and in all languages. */
async function again(
  how: Recogniser,
  path: string,
  first: Reading,
  script: string | undefined,
): Promise<Reading> {
  const turn = (first.turn + 180) % 360
  const words = await inItsLanguage(how, await turned(path, turn), script)
  const best = sureness(words) > sureness(first.words) + 0.1 ? { words, turn } : first
  if (sureness(best.words) > doubtful) return best
  return { ...best, words: await inAllLanguages(how, await turned(path, best.turn), best.words) }
}

async function turned(path: string, turn: number): Promise<string> {
  if (turn === 0) return path
  const other = path.replace(/\.png$/, `-${turn}.png`)
  await writeTemporaryFile(other, await sharp(path).rotate(turn).png({ compressionLevel: 1 }).toBuffer())
  return other
}

/** Upright, grey, on white, and of the size that is recognised best. */
async function prepare(image: Buffer | string): Promise<{ png: Buffer; size: Size }> {
  try {
    const source = sharp(image, { limitInputPixels: maxPixels, failOn: 'error' })
    const facts = await source.metadata()
    const side = Math.max(facts.width, facts.height)
    const scale = side < wantedSide ? Math.min(maxEnlarged, wantedSide / side) : Math.min(1, maxSide / side)
    const { data, info } = await source
      .rotate()
      .flatten({ background: '#ffffff' })
      .resize({ width: Math.max(1, Math.round(facts.width * scale)), kernel: 'cubic' })
      .greyscale()
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true })
    return { png: data, size: { width: info.width, height: info.height } }
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    if (/pixel limit/i.test(reason))
      throw new DocumentProblem('limit', 'The image exceeds the limit of 120 megapixels.')
    throw new DocumentProblem(
      'damaged',
      `The image is damaged and could not be read: ${reason.slice(0, 200)}`,
    )
  }
}

let languages: Promise<string[]> | undefined

/** Languages by the script they are written in, the one to be preferred first; in a script that is not named here, English is tried. */
const languagesOf: Record<string, string[]> = {
  Han: ['chi_sim', 'chi_tra'],
  Japanese: ['jpn'],
  Hangul: ['kor'],
  Korean: ['kor'],
  Cyrillic: ['rus'],
  Arabic: ['ara'],
}

/** In the languages of its script; what is written in Latin letters is tried as English. */
async function inItsLanguage(how: Recogniser, path: string, script: string | undefined): Promise<Word[]> {
  const { program, signal } = how
  const { all, latin } = await languagesHere(program)
  const named = languagesOf[script ?? '']?.find((name) => all.includes(name))
  // Latin letters and digits occur in text of every script.
  const languages = named === undefined ? latin.slice(0, 1) : ['eng', named]
  return recogniseFile(program, path, { languages, signal })
}

/** If English has a low confidence, all Latin-script languages together may do better. */
async function inAllLanguages({ program, signal }: Recogniser, path: string, words: Word[]): Promise<Word[]> {
  const { latin } = await languagesHere(program)
  if (latin.length < 2) return words
  const again = await recogniseFile(program, path, { languages: latin, signal })
  return sureness(again) > sureness(words) ? again : words
}

async function languagesHere(program: string): Promise<{ all: string[]; latin: string[] }> {
  languages ??= installedLanguages(program)
  const all = await languages.catch((): string[] => [])
  if (all.length === 0) {
    throw new DocumentProblem('ocr-missing', `${program} cannot be run, or has no language installed.`)
  }
  return { all, latin: all.filter((name) => !Object.values(languagesOf).flat().includes(name)) }
}

function sureness(words: Word[]): number {
  const letters = words.reduce((sum, word) => sum + word.text.length, 0)
  return words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / Math.max(1, letters)
}

/** Words of one line share its height: what a line measures says how large its letters are. */
function pageOf(
  words: Word[],
  size: Size,
  page: { pageNumber: number; width?: number; height?: number },
): RawPage {
  const scale =
    page.width === undefined ? 1 : Math.max(page.width, page.height ?? 0) / Math.max(size.width, size.height)
  const width = size.width * scale
  const height = size.height * scale
  const lines = Map.groupBy(words, (word) => word.line.id)
  const runs = words.map((word): Run => {
    const letters = Math.max(1, median(heightsOf(lines.get(word.line.id) ?? [])))
    const bottom = word.line.bottom
    return {
      text: word.text,
      left: word.left * scale,
      right: word.right * scale,
      top: (bottom - letters) * scale,
      bottom: bottom * scale,
      size: letters * scale,
      isBold: false,
      isItalic: false,
      isMono: false,
      confidence: word.confidence,
      line: word.line.id,
    }
  })
  return { pageNumber: page.pageNumber, width, height, runs, tables: [], rules: [], source: 'ocr' }
}

const heightsOf = (words: Word[]) => words.map((word) => word.bottom - word.top)

interface Size {
  width: number
  height: number
}

/** The words of a rotated page, with positions as if it were upright. */
function turnUpright(words: Word[], size: Size): { words: Word[]; size: Size } {
  const quarter = direction(words)
  if (quarter === 0) return { words, size }
  const turn = <T extends Box>(box: T): T => ({ ...box, ...turnBox(box, size, quarter) })
  return {
    words: words.map((word) => ({ ...turn(word), line: turn(word.line) })),
    size: quarter === 2 ? size : { width: size.height, height: size.width },
  }
}

/** How many quarters of a circle the words go round: to the right, down, to the left, up. */
function direction(words: Word[]): 0 | 1 | 2 | 3 {
  const votes: [number, number, number, number] = [0, 0, 0, 0]
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    if (!next || next.line.id !== word.line.id) continue
    const x = next.left + next.right - word.left - word.right
    const y = next.top + next.bottom - word.top - word.bottom
    const quarter = Math.abs(x) >= Math.abs(y) ? (x >= 0 ? 0 : 2) : y > 0 ? 1 : 3
    votes[quarter] += 1
  }
  const most = Math.max(...votes)
  return most === 0 ? 0 : (votes.indexOf(most) as 0 | 1 | 2 | 3)
}

function turnBox(box: Box, size: Size, quarter: 0 | 1 | 2 | 3): Box {
  const { left, top, right, bottom } = box
  if (quarter === 1) return { left: top, right: bottom, top: size.width - right, bottom: size.width - left }
  if (quarter === 3) return { left: size.height - bottom, right: size.height - top, top: left, bottom: right }
  return {
    left: size.width - right,
    right: size.width - left,
    top: size.height - bottom,
    bottom: size.height - top,
  }
}
