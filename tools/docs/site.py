#!/usr/bin/env python3
"""site.py HTML XML FILES: finishes the site that Doxygen wrote into the folder HTML.

Names of functions, types, macros and pages (doc/solver.md) in texts become links to their description, by Doxygen's
XML output in the folder XML. The folder FILES, with files that pages link to, is copied. Prints each link whose file or
anchor does not exist, and then exits with status 1.
"""
import html
import os
import re
import shutil
import sys
import urllib.parse

import pages
import reference

TOKEN = re.compile(r'<[^>]*>|[^<]+')
NAME = re.compile(r'\b(?:(?:stn_|STN_|cblas_|CBLAS_)\w+|doc/[a-z0-9_/-]+\.md)\b')
TAG = re.compile(r'<(/?)(\w+)([^>]*)>')
OPAQUE = {'a', 'script', 'style', 'title', 'head', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'textarea'}
OPAQUE_CLASSES = re.compile(r'class="(?:memtitle|memproto|memItemLeft|memItemRight|line|fieldname|fragment|headertitle)"')
ADDRESS = re.compile(r'<(?:a|img|link|script)\b[^>]*?\b(?:href|src)="([^"]*)"')
ANCHOR = re.compile(r'\b(?:id|name)="([^"]+)"')


def link_of(name, urls):
    url = '%s.html' % pages.label_of(name) if name.endswith('.md') else urls.get(name)
    return '<a class="el" href="%s">%s</a>' % (url, name) if url else name


def link_names(page, urls):
    """The text of a page with links at the names of symbols."""
    result, depth, opaque = [], [], 0  # depth: open elements, and whether links may not be inside of each
    for token in TOKEN.findall(page):
        tag = TAG.match(token)
        if tag and tag.group(3).endswith('/') or tag and tag.group(2) in ('br', 'img', 'input', 'meta', 'link', 'hr'):
            result.append(token)
            continue
        if tag and not tag.group(1):
            is_opaque = tag.group(2) in OPAQUE or bool(OPAQUE_CLASSES.search(tag.group(3)))
            depth.append((tag.group(2), is_opaque))
            opaque += is_opaque
        elif tag:
            while depth:
                name, is_opaque = depth.pop()
                opaque -= is_opaque
                if name == tag.group(2):
                    break
        elif not opaque and not token.startswith('<'):
            token = NAME.sub(lambda match: link_of(match.group(0), urls), token)
        result.append(token)
    return ''.join(result)


def dead_links(site):
    """The links of the pages of the site, name -> text, whose file or anchor does not exist."""
    anchors = {name: set(ANCHOR.findall(text)) for name, text in site.items()}
    for name, text in sorted(site.items()):
        for address in sorted(set(ADDRESS.findall(text))):
            address = urllib.parse.unquote(html.unescape(address))
            if re.match(r'[a-z]+:', address) or not address:
                continue
            path, _, anchor = address.partition('#')
            path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if path not in site and not os.path.exists(path):
                yield '%s: there is no %s' % (name, address)
            elif anchor and path in site and anchor not in anchors[path]:
                yield '%s: %s has no anchor %s' % (name, path, anchor)


def main():
    folder, xml, files = sys.argv[1:4]
    if os.path.isdir(files):
        shutil.copytree(files, os.path.join(folder, 'files'))
    urls = reference.load(xml).urls()
    os.chdir(folder)
    site = {}
    for name in sorted(os.listdir('.')):
        if re.search(r'_8(md|dox)\.html$', name):
            os.remove(name)  # an empty page about an input file
            continue
        if not name.endswith('.html'):
            continue
        with open(name, encoding='utf-8') as file:
            text = file.read()
        # @retval is used for errors only.
        site[name] = link_names(text.replace('<dt>Return values</dt>', '<dt>Errors</dt>'), urls)
        if site[name] != text:
            with open(name, 'w', encoding='utf-8') as file:
                file.write(site[name])
    failures = list(dead_links(site))
    print('\n'.join(failures), end='\n' if failures else '')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
