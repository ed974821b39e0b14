import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectDriver } from '../src/browser/cdp/driver.ts'
import { liveView } from '../src/browser/live-view/live-view.ts'
import { openLiveDoor } from '../test/servers/live-scene.ts'
import { startPipeBrowser } from '../test/servers/pipe-browser.ts'
import { findChromium } from '../test/servers/proxy-browser.ts'
import { atMost, CannotMeasure, type Figure, plain } from './figure.ts'

const seconds = 10

/** What one live view of a page that never rests costs the process that serves it. */
export async function measure(): Promise<Figure[]> {
  if (!findChromium()) throw new CannotMeasure('no Chromium found; set CHROMIUM_PATH')
  const browser = startPipeBrowser()
  const live = liveView(browser.cdp, { onActivity: () => {} })
  const door = await openLiveDoor(() => live)
  const address = await door.listen({ host: '127.0.0.1', port: 0 })
  const driver = await connectDriver(browser.cdp)
  const page = await driver.contexts()[0]?.newPage()
  await page?.setContent(movingPage)
  await driver.close()
  try {
    const idle = await shareOfCore()
    const one = await watched(`${address.replace('http', 'ws')}/live/one?token=view`, 1)
    const five = await watched(`${address.replace('http', 'ws')}/live/one?token=view`, 5)
    return [
      plain('a page that moves, nobody watches: share of a core', idle * 100, '%'),
      plain('pictures a second that the browser could take', one.perSecond, ''),
      plain('size of a picture', one.kilobytes, 'KB'),
      atMost('one viewer: share of a core at 10 a second', atTen(one), 20, '%'),
      atMost('five viewers: share of a core at 10 a second', atTen(five), 20, '%'),
    ]
  } finally {
    live.close()
    await door.close()
    await browser.stop()
  }
}

/** A busy machine takes fewer pictures; the cost is per picture. */
const atTen = ({ share, perSecond }: { share: number; perSecond: number }) => (share * 100 * 10) / perSecond

/** Viewers live in a process of their own, so that only the serving side is counted. */
async function watched(url: string, viewers: number) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', viewerScript, url, String(viewers)], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  await sleep(1500)
  const share = await shareOfCore()
  await gone
  const { pictures, bytes } = JSON.parse(said)
  return { share, perSecond: pictures / viewers / seconds, kilobytes: bytes / pictures / 1024 }
}

async function shareOfCore(): Promise<number> {
  const before = process.cpuUsage()
  const began = performance.now()
  await sleep(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / (performance.now() - began)
}

const viewerScript = `
import { WebSocket } from 'ws'
const [url, viewers] = process.argv.slice(1)
let pictures = 0, bytes = 0, isCounting = false
for (let viewer = 0; viewer < viewers; viewer += 1) {
  new WebSocket(url).on('message', (data, isBinary) => {
    if (isBinary && isCounting) { pictures += 1; bytes += data.length }
  })
}
setTimeout(() => { isCounting = true }, 1500)
setTimeout(() => { console.log(JSON.stringify({ pictures, bytes })); process.exit() }, ${1500 + seconds * 1000})
`

/** Text and colours that all change with every picture: more to encode than a page usually has. */
const movingPage = `<body style="margin:0;font:14px sans-serif"><script>
  const cells = Array.from({ length: 400 }, () => document.body.appendChild(document.createElement('span')))
  for (const cell of cells) cell.style.cssText = 'display:inline-block;width:60px;height:34px;overflow:hidden'
  let turn = 0
  ;(function paint() {
    turn += 1
    cells.forEach((cell, index) => {
      cell.textContent = (turn * index) % 9973
      cell.style.background = 'hsl(' + ((turn * 3 + index * 7) % 360) + ' 60% 80%)'
    })
    requestAnimationFrame(paint)
  })()
</script>`
