/**
 * @typedef {object} Tool a program from outside. None is needed: the service uses what is there
 * @property {string} name
 * @property {string} enables what does not work without it
 * @property {string} [variable] names the program outright
 * @property {string} [instead] a variable that makes the program unnecessary
 * @property {string[]} places best first: the name of a command on PATH, or a path in which `*` stands for any part of a
 *   name, `{playwright}` for Playwright's downloads and `{prepared}` for our own folder
 * @property {string[]} [behindScript] where the program is when a command is only a script that starts it, seen from the
 *   script's folder; `{name}` is the name of the script
 * @property {string} versionFlag
 * @property {string[]} packages that bring it on Debian and Ubuntu
 * @property {boolean} [isForTests] nothing but the tests uses it, so that only they have it installed
 * @property {string[]} [companions] packages installed along with it, which it works without
 */

/** @type {Tool[]} */
export const tools = [
  {
    name: 'chromium',
    enables: 'pages that need a browser, screenshots, PDF, actions, browser sessions',
    variable: 'CHROMIUM_PATH',
    instead: 'CHROMIUM_URL',
    // The headless shell first: it takes about half the time and memory per page.
    places: [
      '/usr/lib/chromium/chromium-headless-shell',
      '/usr/lib64/chromium-browser/headless_shell',
      'chromium-headless-shell',
      'chrome-headless-shell',
      'headless_shell',
      '/usr/lib/chromium/chromium',
      '/usr/lib64/chromium-browser/chromium-browser',
      '/opt/google/chrome/chrome',
      'chromium',
      'chromium-browser',
      'google-chrome-stable',
      'google-chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '{playwright}/chromium_headless_shell-*/*/chrome-headless-shell',
      '{playwright}/chromium_headless_shell-*/*/headless_shell',
      '{playwright}/chromium-*/*/chrome',
      '{playwright}/chromium-*/*/Chromium.app/Contents/MacOS/Chromium',
      '{prepared}/unpacked/chromium',
    ],
    // Some of these scripts stay in between, so that killing them leaves the browser running.
    behindScript: [
      '../lib/chromium/{name}',
      '../lib/chromium-browser/{name}',
      '../lib64/chromium-browser/{name}',
      'chrome',
    ],
    versionFlag: '--version',
    packages: ['chromium', 'chromium-headless-shell'],
    // On a bare server, text that is not Latin would come out as boxes. The last one brings filter lists for blockAds.
    companions: [
      'fonts-liberation',
      'fonts-noto-core',
      'fonts-noto-color-emoji',
      'fonts-wqy-zenhei',
      'webext-ublock-origin-chromium',
    ],
  },
  {
    name: 'bubblewrap',
    enables: 'the sandbox around code and browser sessions',
    places: ['bwrap', '/usr/bin/bwrap', '/usr/local/bin/bwrap'],
    versionFlag: '--version',
    packages: ['bubblewrap'],
  },
  {
    name: 'tesseract',
    enables: 'text recognition in images and scanned documents',
    places: ['tesseract', '/usr/bin/tesseract', '/usr/local/bin/tesseract', '/opt/homebrew/bin/tesseract'],
    versionFlag: '--version',
    packages: ['tesseract-ocr'],
    // English comes with it; the script of a page shows which language it is in.
    companions: ['ara', 'chi-sim', 'chi-tra', 'deu', 'fra', 'jpn', 'kor', 'rus', 'spa'].map(
      (language) => `tesseract-ocr-${language}`,
    ),
  },
  {
    name: 'ffmpeg',
    enables: 'the audio format, for recordings that are not MP3',
    variable: 'FFMPEG_PATH',
    places: ['ffmpeg', '/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg', '/opt/homebrew/bin/ffmpeg'],
    versionFlag: '-version',
    packages: ['ffmpeg'],
  },
  {
    name: 'tinyproxy',
    enables: 'the tests with a proxy of an operator',
    places: ['tinyproxy', '/usr/bin/tinyproxy', '/usr/sbin/tinyproxy'],
    versionFlag: '-v',
    // The program without the service that the package tinyproxy would start.
    packages: ['tinyproxy-bin'],
    isForTests: true,
  },
  {
    name: 'faketime',
    enables: 'the tests with a clock that jumps',
    places: ['faketime', '/usr/bin/faketime'],
    versionFlag: '--version',
    packages: ['faketime'],
    isForTests: true,
  },
]
