"""Runs untrusted code in this process, one call after the other, so that variables persist between calls.

A call is a line `NONCE LENGTH` and LENGTH bytes of code. The response is a line of JSON that repeats the nonce.
"""

import ast
import asyncio
import inspect
import json
import linecache
import socket
import sys
import traceback

MAX_RESULT_LENGTH = 1024 * 1024
BROWSER_URL = "http://127.0.0.1:9222"
user_globals = {"__name__": "__main__", "__builtins__": __builtins__}
call_count = 0
playwright_driver = None
browser = None


async def main(descriptor, token):
    channel = socket.socket(fileno=descriptor)
    reader, writer = await asyncio.open_connection(sock=channel, limit=1 << 20)
    # The output is flushed after each line, so that the output of a killed call is not lost.
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    sys.stderr.reconfigure(errors="backslashreplace")
    try:
        await attach()
    except Exception:
        pass  # The first call requests the page again and can report the error.
    await send_response(writer, {"ready": True})
    # Data before the token was meant for a runner that has ended.
    while (await reader.readline()).decode("latin-1").strip() != token:
        if reader.at_eof():
            return
    while header := await reader.readline():
        nonce, length = header.decode().split()
        code = (await reader.readexactly(int(length))).decode("utf-8", "replace")
        outcome = await run(code)
        await send_response(writer, {"nonce": nonce, **outcome})


async def attach():
    """Ensures that the globals `browser`, `context` and `page` exist, and that the page is open."""
    global playwright_driver, browser
    if browser is None or not browser.is_connected():
        from playwright.async_api import async_playwright

        if playwright_driver is not None:
            await playwright_driver.stop()
        playwright_driver = await async_playwright().start()
        browser = await playwright_driver.chromium.connect_over_cdp(BROWSER_URL, timeout=15_000)
        user_globals.update(browser=browser, context=browser.contexts[0], page=None)
    if not is_open(user_globals.get("page")):
        context = browser.contexts[0]
        pages = [page for page in context.pages if is_open(page)]
        # With several pages, the active one is unknown. An empty page is the least likely.
        pages.sort(key=lambda page: page.url == "about:blank")
        user_globals["page"] = pages[0] if pages else await context.new_page()


def is_open(page):
    return hasattr(page, "is_closed") and not page.is_closed()


async def run(code):
    text = None
    exit_code = 0
    try:
        await attach()
        text = to_text(await evaluate(code))
    except SystemExit as error:
        exit_code = get_exit_code(error)
    except BaseException as error:
        exit_code = 1
        print_error(error)
    flush()
    result = text if text is None else text[:MAX_RESULT_LENGTH]
    return {"exitCode": exit_code, "result": result, "isTruncated": result != text}


async def evaluate(code):
    """Runs all statements. If the last one is an expression, returns its value."""
    global call_count
    call_count += 1
    file_name = f"<call {call_count}>"
    linecache.cache[file_name] = (len(code), None, code.splitlines(keepends=True), file_name)
    tree = ast.parse(code, file_name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    await run_tree(tree, file_name, "exec")
    return None if last is None else await run_tree(ast.Expression(last.value), file_name, "eval")


async def run_tree(tree, file_name, mode):
    compiled = compile(tree, file_name, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    value = eval(compiled, user_globals)
    return await value if compiled.co_flags & inspect.CO_COROUTINE else value


def to_text(value):
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def get_exit_code(system_exit):
    if system_exit.code is None or isinstance(system_exit.code, int):
        return (system_exit.code or 0) & 0xFF
    print(system_exit.code, file=sys.stderr)
    return 1


def print_error(error):
    """Prints an error without the stack frames of this file, which do not help the user."""
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


async def send_response(writer, message, dumps=json.dumps):
    # The message starts on a new line, because code may have written to the channel.
    writer.write(f"\n{dumps(message, ensure_ascii=False)}\n".encode("utf-8", "replace"))
    await writer.drain()


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
