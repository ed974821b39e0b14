/**
 * @typedef {object} Tool an optional external program
 * @property {string} name
 * @property {string} enables features that need it
 * @property {string} [variable] environment variable that sets the path of the program
 * @property {string} [replacementVariable] environment variable that makes the program unnecessary
 * @property {string[]} candidates possible programs, best first: a command on PATH, or a path. In a path, `*` matches any part of
 *   a name, `{playwright}` is the folder of Playwright's downloads, and `{prepared}` is the folder `.prepared`
 * @property {string[]} [scriptTargets] paths of the program if a command is only a script that starts it, relative to
 *   the script's folder; `{name}` is the name of the script
 * @property {string} versionFlag
 * @property {string[]} packages of Debian and Ubuntu that contain it
 * @property {boolean} [isForTests] true if only the tests use it, so that it is installed only for them
 * @property {string[]} [companions] optional packages that are installed along with it
 */

/** @type {Tool[]} */
export const tools = [
  {
    name: 'chromium',
    enables: 'pages that need a browser, screenshots, PDF, actions, browser sessions',
    variable: 'CHROMIUM_PATH',
    replacementVariable: 'CHROMIUM_URL',
    // The headless shell is first, because it takes about half the time and memory per page.
    candidates: [
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
    // Some of these scripts remain the parent of the browser, so killing them leaves the browser running.
    scriptTargets: [
      '../lib/chromium/{name}',
      '../lib/chromium-browser/{name}',
      '../lib64/chromium-browser/{name}',
      'chrome',
    ],
    versionFlag: '--version',
    packages: ['chromium', 'chromium-headless-shell'],
    // A minimal server renders non-Latin text as boxes without these fonts. The last package has filters for blockAds.
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
    candidates: ['bwrap', '/usr/bin/bwrap', '/usr/local/bin/bwrap'],
    versionFlag: '--version',
    packages: ['bubblewrap'],
  },
  {
    name: 'tesseract',
    enables: 'text recognition in images and scanned documents',
    candidates: [
      'tesseract',
      '/usr/bin/tesseract',
      '/usr/local/bin/tesseract',
      '/opt/homebrew/bin/tesseract',
    ],
    versionFlag: '--version',
    packages: ['tesseract-ocr'],
    // English is part of the main package. The service selects the language by the script of a page.
    companions: ['ara', 'chi-sim', 'chi-tra', 'deu', 'fra', 'jpn', 'kor', 'rus', 'spa'].map(
      (language) => `tesseract-ocr-${language}`,
    ),
  },
  {
    name: 'ffmpeg',
    enables: 'the audio format, for recordings that are not MP3',
    variable: 'FFMPEG_PATH',
    candidates: ['ffmpeg', '/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg', '/opt/homebrew/bin/ffmpeg'],
    versionFlag: '-version',
    packages: ['ffmpeg'],
  },
  {
    name: 'tinyproxy',
    enables: 'the tests with a proxy of an operator',
    candidates: ['tinyproxy', '/usr/bin/tinyproxy', '/usr/sbin/tinyproxy'],
    versionFlag: '-v',
    // Contains only the program; the package tinyproxy would also start a system service.
    packages: ['tinyproxy-bin'],
    isForTests: true,
  },
  {
    name: 'faketime',
    enables: 'the tests with a clock that jumps',
    candidates: ['faketime', '/usr/bin/faketime'],
    versionFlag: '--version',
    packages: ['faketime'],
    isForTests: true,
  },
]
