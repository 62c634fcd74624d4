"""Scenarios of search services and readers: our requests, judged by the services' own packages."""

import json

from exa_py.api import (
    CONTENTS_ENDPOINT_OPTIONS_TYPES,
    CONTENTS_OPTIONS_TYPES,
    CONTENTS_REQUEST_OPTIONS_TYPES,
    SEARCH_OPTIONS_TYPES,
    to_snake_case,
    validate_search_options,
)
from firecrawl.v2.types import SearchRequest
from linkup._types import LinkupFetchTaskInput, LinkupSearchTaskInput
from perplexity.generated.api import ApiSearchRequestInput
from tavily import TavilyClient

from judges import by_model, by_signature, snake
from world import Reply, error

HIT = {"title": "T", "url": "https://e.org/a", "content": "C", "description": "C", "snippet": "C", "name": "T", "link": "https://e.org/a"}
SEARCHES = []


class Search:
    def __init__(self, name, package, kind, script, judge, says="https://e.org/a", most=1, settings="", code=0, command="search"):
        self.__dict__.update(locals())
        SEARCHES.append(self)


def raising(check):
    def judge(path, query, headers, body):
        try:
            check(body)
        except Exception as wrong:  # noqa: BLE001
            return [str(wrong)[:300]]
        return []

    return judge


OPTIONS = 'language = "de"\ncountry = "at"\nexclude_sites = ["bad.org"]\ncount = 8\n'
results = lambda place: Reply(json.dumps({place: [HIT]}))
tavily = lambda path, query, headers, body: by_signature(TavilyClient._search, body)
Search("tavily: a search", "tavily-python 0.8.5", "tavily", [results("results")], tavily, settings=OPTIONS)
Search("tavily: its own words", "tavily-python 0.8.5", "tavily", [error(400, {"detail": {"error": "Query is too long. Max query length is 400 characters."}})], tavily, says="Max query length is 400", code=1)
Search("tavily: the plan is used up", "tavily-python 0.8.5", "tavily", [error(432, {"detail": {"error": "This request exceeds your plan's set usage limit."}})], tavily, says="no balance", code=1)
exa = raising(lambda body: validate_search_options(to_snake_case(body), SEARCH_OPTIONS_TYPES))
Search("exa: a search", "exa-py 2.28.0", "exa", [results("results")], exa, settings=OPTIONS)
Search("exa: content that it will not search is no fault of the key", "exa-py 2.28.0", "exa", [error(403, {"requestId": "r", "error": "Prohibited", "tag": "PROHIBITED_CONTENT"})], exa, says="Prohibited", code=1)
firecrawl = lambda path, query, headers, body: by_model(SearchRequest)(snake(body))
Search("firecrawl: a search", "firecrawl-py 4.53.2", "firecrawl", [Reply(json.dumps({"success": True, "data": {"web": [HIT]}}))], firecrawl, settings=OPTIONS)
linkup = lambda path, query, headers, body: by_model(LinkupSearchTaskInput)(body)
Search("linkup: a search", "linkup-sdk 0.24.0", "linkup", [results("results")], linkup, settings=OPTIONS)
Search("linkup: nothing found is no error", "linkup-sdk 0.24.0", "linkup", [error(400, {"statusCode": 400, "error": {"code": "SEARCH_QUERY_NO_RESULT", "message": "No result", "details": []}})], linkup, says="No results.", code=1)
Search("linkup: credits are used up", "linkup-sdk 0.24.0", "linkup", [error(429, {"statusCode": 429, "error": {"code": "INSUFFICIENT_FUNDS_CREDITS", "message": "no credits", "details": []}})], linkup, says="no balance", code=1)
perplexity = lambda path, query, headers, body: by_model(ApiSearchRequestInput)(body)
Search("perplexity: a search", "perplexityai 0.46.1", "perplexity", [results("results")], perplexity, settings=OPTIONS)
Search("exa: a page that it could not read", "exa-py 2.28.0", "exa", [Reply(json.dumps({"results": [], "statuses": [{"id": "https://e.org/a", "status": "error", "error": {"tag": "CRAWL_NOT_FOUND", "httpStatusCode": 404}}]}))],
       raising(lambda body: validate_search_options(to_snake_case(body), {**CONTENTS_OPTIONS_TYPES, **CONTENTS_ENDPOINT_OPTIONS_TYPES, **CONTENTS_REQUEST_OPTIONS_TYPES})), says="crawl not found (404)", code=1, command="read")
Search("linkup: a page", "linkup-sdk 0.24.0", "linkup", [Reply(json.dumps({"markdown": "# T\n\nThe bridge opened in 1931."}))], lambda path, query, headers, body: by_model(LinkupFetchTaskInput)(body), says="The bridge opened in 1931", command="read")
