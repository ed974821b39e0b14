"""Listings of files by Apache and nginx, and of a repository by cgit and gitweb, as Debian packages them (ROOT)."""

import os
import pathlib
import subprocess
import time
import urllib.request

from page import LIST, keep, row

root = pathlib.Path(os.environ["ROOT"])
start_time = 1772439240  # 2026-03-02 08:14 UTC
shelf_folder = root / "srv/shelf"
shelf_folder.mkdir(parents=True, exist_ok=True)
for index, entry in enumerate(LIST["files"]):
    (shelf_folder / entry["name"]).write_bytes(b"x" * entry["bytes"])
    os.utime(shelf_folder / entry["name"], (start_time + index * 86400, start_time + index * 86400))


def run_in_root(*command, **more):
    return subprocess.run(["chroot", str(root), *command], check=True, capture_output=True, **more).stdout


def serve(command, address):
    server = subprocess.Popen(["chroot", str(root), *command])
    try:
        for _ in range(50):
            time.sleep(0.2)
            try:
                return {query: urllib.request.urlopen(address + query).read().decode() for query in ["", "?C=S;O=D"]}
            except OSError:
                continue
    finally:
        server.terminate()
        server.wait()


def format_size(size):
    for unit in ["", "K", "M"]:
        if size < 1000:
            break
        size /= 1024
    return f"{size:.1f}{unit}" if size < 10 else f"{round(size)}{unit}"


days = [time.strftime("%Y-%m-%d %H:%M", time.gmtime(start_time + index * 86400)) for index in range(len(LIST["files"]))]
(root / "srv/apache.conf").write_text("""
ServerName files.example.com
Listen 127.0.0.1:9181
PidFile /tmp/apache.pid
ErrorLog /tmp/apache.log
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule dir_module /usr/lib/apache2/modules/mod_dir.so
LoadModule autoindex_module /usr/lib/apache2/modules/mod_autoindex.so
DocumentRoot /srv
IndexOptions FancyIndexing HTMLTable NameWidth=*
<Directory /srv>
Options +Indexes
</Directory>
""")
served = serve(["apache2", "-X", "-f", "/srv/apache.conf"], "http://127.0.0.1:9181/shelf/")
rows = [row(entry["name"], day, format_size(entry["bytes"]), name=entry["name"]) for entry, day in zip(LIST["files"], days)]
by_size = sorted(zip(rows, LIST["files"]), key=lambda pair: -pair[1]["bytes"])
keep("apache-autoindex", "by-name", url="https://files.example.com/shelf/", html=served[""], kind="listing",
     title="Index of /shelf", records=rows)
keep("apache-autoindex", "by-size", url="https://files.example.com/shelf/?C=S;O=D", html=served["?C=S;O=D"],
     kind="listing", title="Index of /shelf", records=[pair[0] for pair in by_size])

(root / "srv/nginx.conf").write_text("""
daemon off; pid /tmp/nginx.pid; user root;
events {}
http { server { listen 127.0.0.1:9182; root /srv; location / { autoindex on; } } }
""")
served = serve(["nginx", "-c", "/srv/nginx.conf"], "http://127.0.0.1:9182/shelf/")
days = [time.strftime("%d-%b-%Y %H:%M", time.gmtime(start_time + index * 86400)) for index in range(len(LIST["files"]))]
keep("nginx-autoindex", "shelf", url="https://mirror.example.com/shelf/", html=served[""], kind="listing",
     title="Index of /shelf/",
     records=[row(entry["name"], day, str(entry["bytes"]), name=entry["name"]) for entry, day in zip(LIST["files"], days)])

repository = root / "srv/almanac.git"
if not repository.exists():
    run_in_root("git", "init", "-q", "--initial-branch=main", "/srv/almanac")
    for index, entry in enumerate(LIST["tickets"]):
        (root / "srv/almanac" / f"note-{index}.txt").write_text(entry["note"] + "\n")
        stamp = f"{start_time + index * 86400} +0000"
        identity = {"GIT_AUTHOR_NAME": entry["owner"], "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": stamp,
                    "GIT_COMMITTER_NAME": entry["owner"], "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_COMMITTER_DATE": stamp}
        run_in_root("git", "-C", "/srv/almanac", "add", ".")
        run_in_root("git", "-C", "/srv/almanac", "commit", "-q", "-m", entry["title"], env=os.environ | identity)
    run_in_root("git", "clone", "-q", "--bare", "/srv/almanac", "/srv/almanac.git")
    (repository / "description").write_text("Notes about what to mend next\n")
(root / "srv/cgitrc").write_text("root-title=Workshop repositories\nscan-path=/srv\n")
(root / "srv/gitweb.conf").write_text("$projectroot = '/srv'; $site_name = 'Workshop repositories';\n")


def run_cgi(program, path, query):
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, "HTTP_HOST": "git.example.com",
               "SERVER_NAME": "git.example.com", "SCRIPT_NAME": "", "GATEWAY_INTERFACE": "CGI/1.1", "CGIT_CONFIG": "/srv/cgitrc",
               "GITWEB_CONFIG": "/srv/gitweb.conf", "PATH": os.environ["PATH"], "SERVER_PORT": "443"}
    out = run_in_root(program, env=environ).replace(b"\r\n", b"\n")
    return out[out.index(b"\n\n") + 2 :].decode()


commits = [row(entry["owner"], name=entry["title"]) for entry in reversed(LIST["tickets"])]
notes = [row(f"note-{index}.txt", name=f"note-{index}.txt") for index in range(len(LIST["tickets"]))]
for name, program, pages in [
    ("cgit", "/usr/lib/cgit/cgit.cgi", {"log": ("/almanac.git/log/", ""), "tree": ("/almanac.git/tree/", "")}),
    ("gitweb", "/usr/share/gitweb/gitweb.cgi", {"log": ("", "p=almanac.git;a=shortlog"), "tree": ("", "p=almanac.git;a=tree")}),
]:
    for page, (path, query) in pages.items():
        html = run_cgi(program, path, query)
        keep(name, page, url=f"https://git.example.com{path}{'?' + query if query else ''}", html=html, kind="listing",
             title=None, records=commits if page == "log" else notes)
