"""Contender: Scrapy with a regular expression, robots.txt obeyed, 16 requests at once."""
import json
import logging
import re
import resource
import sys
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

start = sys.argv[1]
values = set()
EMAIL = re.compile(r"[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,190}\.[a-z]{2,24}", re.I)
PHONE = re.compile(r'href="tel:([^"]+)"')


class Contacts(Spider):
    name = "contacts"
    start_urls = [start]
    links = LinkExtractor(allow_domains=[urlsplit(start).netloc, urlsplit(start).hostname])

    def parse(self, response):
        values.update(EMAIL.findall(response.text))
        values.update(PHONE.findall(response.text))
        for link in self.links.extract_links(response):
            yield Request(link.url)


logging.disable(logging.CRITICAL)
process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
    }
)
process.crawl(Contacts)
process.start()
print(json.dumps({"values": sorted(values), "peakKb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
