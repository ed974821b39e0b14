import { join } from 'node:path'
import sharp from 'sharp'
import { withTemporaryFolder, writeTemporaryFile } from '../../platform/temporary-files.ts'
import { DocumentProblem } from '../document.ts'
import { type Box, median, type RawPage, type Run } from '../pdf/shapes.ts'
import { detectOrientation, listInstalledLanguages, recogniseFile, type Word } from './tesseract.ts'
import { withOcrPermit } from './turn.ts'

/** A large scan has fewer pixels, and an image of this size does not fill the memory. */
const maxPixels = 120_000_000
/** Letters of ordinary print are then about 30 pixels high, which tesseract reads best. */
const targetSide = 2200
const maxScale = 3
const maxSide = 3000
/** A smaller image cannot contain a letter, at any scale. */
const minSide = 24

/** Below it, the letters are probably not of the first language. */
const minConfidence = 0.6

export async function recognise(image: Buffer, page: PageSize, recogniser: Recogniser): Promise<RawPage> {
  return withTemporaryFolder('ocr', async (folder) => {
    const path = join(folder, 'page.png')
    const { png, size } = await prepareImage(image)
    if (Math.min(size.width, size.height) < minSide) return toPage([], size, page)
    await writeTemporaryFile(path, png)
    const work = () => recogniseUpright(recogniser, path)
    const { words, rotation } = await withOcrPermit(recogniser.signal, work)
    const rotatedSize = rotation % 180 === 0 ? size : { width: size.height, height: size.width }
    const upright = rotateUpright(words, rotatedSize)
    return toPage(upright.words, upright.size, page)
  })
}

type PageSize = Pick<RawPage, 'pageNumber'> & Partial<Size>

interface Recogniser {
  program: string
  signal: AbortSignal
}

const minOrientationMargin = 2
/** Half of the words of a text that is upside down have a low confidence. */
const minUprightConfidence = 0.75

interface OcrResult {
  words: Word[]
  /** Clockwise, in degrees, before recognition. */
  rotation: number
}

async function recogniseUpright(recogniser: Recogniser, path: string): Promise<OcrResult> {
  const orientation = await detectOrientation(recogniser.program, path, recogniser.signal)
  const recogniseRotated = async (rotation: number): Promise<OcrResult> => {
    const rotatedPath = await rotateImage(path, rotation)
    return { words: await recogniseInScript(recogniser, rotatedPath, orientation?.script), rotation }
  }
  const isCertain = orientation && orientation.margin >= minOrientationMargin
  const first = await recogniseRotated(isCertain ? orientation.rotation : 0)
  const firstConfidence = getAverageConfidence(first.words)
  if (first.words.length === 0 || firstConfidence > minUprightConfidence) return first
  try {
    const reversed = await recogniseRotated((first.rotation + 180) % 360)
    const best = getAverageConfidence(reversed.words) > firstConfidence + 0.1 ? reversed : first
    if (getAverageConfidence(best.words) > minConfidence) return best
    const bestPath = await rotateImage(path, best.rotation)
    return { ...best, words: await recogniseInAllLanguages(recogniser, bestPath, best.words) }
  } catch (thrown) {
    // A partial result is better than none.
    if (recogniser.signal.aborted) return first
    throw thrown
  }
}

async function rotateImage(path: string, rotation: number): Promise<string> {
  if (rotation === 0) return path
  const rotatedPath = path.replace(/\.png$/, `-${rotation}.png`)
  const rotated = await sharp(path).rotate(rotation).png({ compressionLevel: 1 }).toBuffer()
  await writeTemporaryFile(rotatedPath, rotated)
  return rotatedPath
}

async function prepareImage(image: Buffer): Promise<{ png: Buffer; size: Size }> {
  try {
    const source = sharp(image, { limitInputPixels: maxPixels, failOn: 'error' })
    const metadata = await source.metadata()
    const side = Math.max(metadata.width, metadata.height)
    const scale = side < targetSide ? Math.min(maxScale, targetSide / side) : Math.min(1, maxSide / side)
    const { data, info } = await source
      .rotate()
      .flatten({ background: '#ffffff' })
      .resize({ width: Math.max(1, Math.round(metadata.width * scale)), kernel: 'cubic' })
      .greyscale()
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true })
    return { png: data, size: { width: info.width, height: info.height } }
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    if (/pixel limit/i.test(reason))
      throw new DocumentProblem('limit', 'The image exceeds the limit of 120 megapixels.')
    const message = `The image is damaged and could not be read: ${reason.slice(0, 200)}`
    throw new DocumentProblem('damaged', message)
  }
}

let languages: Promise<string[]> | undefined

/** By script, the preferred one first; for other scripts, English is tried. */
const languagesByScript: Record<string, string[]> = {
  Han: ['chi_sim', 'chi_tra'],
  Japanese: ['jpn'],
  Hangul: ['kor'],
  Korean: ['kor'],
  Cyrillic: ['rus'],
  Arabic: ['ara'],
}

async function recogniseInScript({ program, signal }: Recogniser, path: string, script = '') {
  const { all, latin } = await getInstalledLanguages(program)
  const preferred = languagesByScript[script]?.find((name) => all.includes(name))
  // Latin letters and digits occur in text of every script.
  const languages = preferred === undefined ? latin.slice(0, 1) : ['eng', preferred]
  return recogniseFile(program, path, { languages, signal })
}

async function recogniseInAllLanguages({ program, signal }: Recogniser, path: string, words: Word[]) {
  const { latin } = await getInstalledLanguages(program)
  if (latin.length < 2) return words
  const retried = await recogniseFile(program, path, { languages: latin, signal })
  return getAverageConfidence(retried) > getAverageConfidence(words) ? retried : words
}

async function getInstalledLanguages(program: string): Promise<{ all: string[]; latin: string[] }> {
  languages ??= listInstalledLanguages(program)
  const all = await languages.catch((): string[] => [])
  if (all.length === 0) {
    throw new DocumentProblem('ocr-missing', `${program} cannot be run, or has no language installed.`)
  }
  return { all, latin: all.filter((name) => !Object.values(languagesByScript).flat().includes(name)) }
}

function getAverageConfidence(words: Word[]): number {
  const letters = words.reduce((sum, word) => sum + word.text.length, 0)
  return words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / Math.max(1, letters)
}

/** All words of a line get its median word height as font size. */
function toPage(words: Word[], size: Size, page: PageSize): RawPage {
  const scale =
    page.width === undefined ? 1 : Math.max(page.width, page.height ?? 0) / Math.max(size.width, size.height)
  const width = size.width * scale
  const height = size.height * scale
  const lines = Map.groupBy(words, (word) => word.line.id)
  const runs = words.map((word): Run => {
    const heights = (lines.get(word.line.id) ?? []).map(({ top, bottom }) => bottom - top)
    const letterHeight = Math.max(1, median(heights))
    const bottom = word.line.bottom
    return {
      text: word.text,
      left: word.left * scale,
      right: word.right * scale,
      top: (bottom - letterHeight) * scale,
      bottom: bottom * scale,
      size: letterHeight * scale,
      isBold: false,
      isItalic: false,
      isMono: false,
      confidence: word.confidence,
      line: word.line.id,
    }
  })
  return { pageNumber: page.pageNumber, width, height, runs, tables: [], rules: [], source: 'ocr' }
}

type Size = Pick<RawPage, 'width' | 'height'>

function rotateUpright(words: Word[], size: Size): { words: Word[]; size: Size } {
  const quarterTurns = getQuarterTurns(words)
  if (quarterTurns === 0) return { words, size }
  const rotate = <T extends Box>(box: T): T => ({ ...box, ...rotateBox(box, size, quarterTurns) })
  return {
    words: words.map((word) => ({ ...rotate(word), line: rotate(word.line) })),
    size: quarterTurns === 2 ? size : { width: size.height, height: size.width },
  }
}

/** Text direction in quarter turns: 0 to the right, 1 down, 2 to the left, 3 up. */
function getQuarterTurns(words: Word[]): 0 | 1 | 2 | 3 {
  const votes: [number, number, number, number] = [0, 0, 0, 0]
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    if (!next || next.line.id !== word.line.id) continue
    const x = next.left + next.right - word.left - word.right
    const y = next.top + next.bottom - word.top - word.bottom
    const quarterTurns = Math.abs(x) >= Math.abs(y) ? (x >= 0 ? 0 : 2) : y > 0 ? 1 : 3
    votes[quarterTurns] += 1
  }
  const maxVotes = Math.max(...votes)
  return maxVotes === 0 ? 0 : (votes.indexOf(maxVotes) as 0 | 1 | 2 | 3)
}

function rotateBox(box: Box, size: Size, quarterTurns: 0 | 1 | 2 | 3): Box {
  const { left, top, right, bottom } = box
  if (quarterTurns === 1)
    return { left: top, right: bottom, top: size.width - right, bottom: size.width - left }
  if (quarterTurns === 3)
    return { left: size.height - bottom, right: size.height - top, top: left, bottom: right }
  const { width, height } = size
  return { left: width - right, right: width - left, top: height - bottom, bottom: height - top }
}
