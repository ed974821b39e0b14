"""Runs untrusted code in this process, one request after the other, so that names persist between calls.

A request is a line `NONCE LENGTH` and LENGTH bytes of code. The response is a line of JSON that repeats the nonce.
"""

import ast
import asyncio
import inspect
import json
import linecache
import socket
import sys
import traceback

MOST_RESULT = 1024 * 1024
ADDRESS = "http://127.0.0.1:9222"
names = {"__name__": "__main__", "__builtins__": __builtins__}
calls = 0
driver = None
browser = None


async def main(descriptor, word):
    channel = socket.socket(fileno=descriptor)
    orders, answers = await asyncio.open_connection(sock=channel, limit=1 << 20)
    # Shown line by line, so that what a call printed before it was ended is not lost.
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    sys.stderr.reconfigure(errors="backslashreplace")
    try:
        await attach()
    except Exception:
        pass  # The page is asked for again by the first call, which can say what is wrong.
    await answer(answers, {"ready": True})
    # What stands before the word was meant for a runner that has ended.
    while (await orders.readline()).decode("latin-1").strip() != word:
        if orders.at_eof():
            return
    while header := await orders.readline():
        nonce, length = header.decode().split()
        code = (await orders.readexactly(int(length))).decode("utf-8", "replace")
        outcome = await run(code)
        await answer(answers, {"nonce": nonce, **outcome})


async def attach():
    """Sees to it that browser, context and page are there, and that the page is one that is open."""
    global driver, browser
    if browser is None or not browser.is_connected():
        from playwright.async_api import async_playwright

        if driver is not None:
            await driver.stop()
        driver = await async_playwright().start()
        browser = await driver.chromium.connect_over_cdp(ADDRESS, timeout=15_000)
        names.update(browser=browser, context=browser.contexts[0], page=None)
    if not is_open(names.get("page")):
        context = browser.contexts[0]
        pages = [page for page in context.pages if is_open(page)]
        # Nothing says which of several is in front; an empty one is the least likely to be meant.
        pages.sort(key=lambda page: page.url == "about:blank")
        names["page"] = pages[0] if pages else await context.new_page()


def is_open(page):
    return hasattr(page, "is_closed") and not page.is_closed()


async def run(code):
    text = None
    exit_code = 0
    try:
        await attach()
        text = text_of(await evaluate(code))
    except SystemExit as ending:
        exit_code = code_of(ending)
    except BaseException as error:
        exit_code = 1
        complain(error)
    flush()
    result = text if text is None else text[:MOST_RESULT]
    return {"exitCode": exit_code, "result": result, "isTruncated": result != text}


async def evaluate(code):
    """All statements, then the last one once more as a value, if it is an expression."""
    global calls
    calls += 1
    name = f"<call {calls}>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    tree = ast.parse(code, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    await evaluated(tree, name, "exec")
    return None if last is None else await evaluated(ast.Expression(last.value), name, "eval")


async def evaluated(tree, name, mode):
    compiled = compile(tree, name, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    value = eval(compiled, names)
    return await value if compiled.co_flags & inspect.CO_COROUTINE else value


def text_of(value):
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def code_of(ending):
    if ending.code is None or isinstance(ending.code, int):
        return (ending.code or 0) & 0xFF
    print(ending.code, file=sys.stderr)
    return 1


def complain(error):
    """With the lines of the caller: those of this file tell the reader nothing."""
    frames = error.__traceback__
    while frames is not None and not frames.tb_frame.f_code.co_filename.startswith("<call "):
        frames = frames.tb_next
    traceback.print_exception(type(error), error, frames)


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass  # The code of the call may have closed it.


async def answer(answers, message, dumps=json.dumps):
    # Starts a new line, because other code may have written to the channel.
    answers.write(f"\n{dumps(message, ensure_ascii=False)}\n".encode("utf-8", "replace"))
    await answers.drain()


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
