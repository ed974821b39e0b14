/** Errors of browsers, sessions, profiles and language models: the part of the table that belongs to them. */
export const browserErrors = {
  PROFILE_IN_USE: {
    status: 409,
    message:
      'Another session is saving the profile. Wait until that session ends, or use saveChanges: false.',
  },
  PROFILE_TOO_LARGE: {
    status: 413,
    message: 'The browser storage exceeds the 64 MB limit of a profile. The profile was not saved.',
  },
  PROFILE_UNREADABLE: {
    status: 500,
    message:
      'The saved profile cannot be read: its key (PROFILE_KEY) has changed, or it is damaged. Restore the key, or delete the profile.',
  },
  BROWSER_NOT_CONFIGURED: {
    status: 503,
    message:
      'This call needs a browser, and none was found. Set CHROMIUM_PATH, or start once as root on Debian or Ubuntu.',
  },
  SANDBOX_NOT_CONFIGURED: {
    status: 503,
    message:
      'Browser sessions and code run in a sandbox, and no working one was found. Install bubblewrap; npm run doctor shows the problem.',
  },
  PYTHON_NOT_CONFIGURED: {
    status: 503,
    message:
      'Code in Python needs Playwright for Python, which was not found. Start once with python3-venv and access to a package index, or set PYTHON_PATH.',
  },
  CODE_NOT_STARTED: {
    status: 502,
    message: 'The sandbox for the code did not start, so nothing ran. Call again.',
  },
  BROWSER_FAILED: {
    status: 500,
    message: 'The browser failed twice on this page. Call again; if the error persists, the page causes it.',
  },
  MODEL_NOT_CONFIGURED: {
    status: 503,
    message:
      'This call needs a language model, and none is configured. Set MODEL_URL, MODEL_KEY and MODEL_NAME.',
  },
  MODEL_BUDGET_SPENT: {
    status: 429,
    message:
      'The team has used the tokens of the language model that it may use per day (MODEL_TOKENS_PER_TEAM_PER_DAY). They are counted anew at 00:00 UTC.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    message:
      'Browser session not found. Sessions are kept for a limited time after their end (RETENTION_HOURS).',
  },
  SESSION_DESTROYED: {
    status: 410,
    message: 'The browser session was destroyed. Start a new one; for interact, scrape the page again.',
  },
  SESSION_LIMIT_REACHED: {
    status: 429,
    message:
      'The team has reached its limit of open browser sessions (TEAM_BROWSERS). End one, or wait until one ends.',
  },
  SESSION_MEMORY_EXHAUSTED: {
    status: 503,
    message:
      'The machine has no memory for another browser session (SESSIONS_MEMORY_MB). End one, or call again when one has ended.',
  },
  SESSION_FAILED: {
    status: 502,
    message: 'The browser of the session could not be started or reached, and nothing ran. Call again.',
  },
  REPLAY_UNAVAILABLE: {
    status: 409,
    message:
      'The page of the scrape cannot be opened as it was. Run the scrape again, then interact with that.',
  },
  REPLAY_NOT_FOUND: { status: 404, message: 'Replay not found: sessions are not recorded here.' },
  MODEL_FAILED: {
    status: 502,
    message: 'The language model did not answer correctly. See reason and hint.',
  },
  INTERACT_TIMEOUT: {
    status: 408,
    message: 'The task did not finish in time. Raise timeout, or split the task.',
  },
  INTERACT_FAILED: {
    status: 500,
    message: 'The task failed after some steps; stdout lists them. See reason and hint.',
  },
} as const satisfies Record<string, { status: number; message: string }>
