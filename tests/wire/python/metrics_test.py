"""Metrics through boto3's CloudWatch client, and as Prometheus' own library reads them."""

import datetime
import unittest
import urllib.error
import urllib.request

from botocore.exceptions import ClientError
from prometheus_client.parser import text_string_to_metric_families

from harness import ENDPOINT, client, cloudwatch, create_table

HOUR = datetime.timedelta(hours=1)
BY_TEAM = {
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "team", "AttributeType": "S"},
    ],
    "GlobalSecondaryIndexes": [{
        "IndexName": "byTeam",
        "KeySchema": [{"AttributeName": "team", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }],
}
PUTS = 7
GETS = 3


def dimensions(**named):
    return [{"Name": name, "Value": value} for name, value in named.items()]


def around():
    now = datetime.datetime.now(datetime.timezone.utc)
    return {"StartTime": now - HOUR / 2, "EndTime": now + HOUR / 2}


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = create_table({"pk": "S"}, **BY_TEAM)
        for i in range(PUTS):
            client.put_item(TableName=cls.table, Item={"pk": {"S": str(i)}, "team": {"S": "t"}})
        for i in range(GETS):
            client.get_item(TableName=cls.table, Key={"pk": {"S": str(i)}})

    def test_statistics(self):
        answer = cloudwatch.get_metric_statistics(
            Namespace="AWS/DynamoDB", MetricName="ConsumedReadCapacityUnits", Dimensions=dimensions(TableName=self.table),
            Period=3600, Statistics=["Sum", "SampleCount", "Average"], **around())
        [point] = answer["Datapoints"]
        self.assertEqual((point["Sum"], point["SampleCount"], point["Average"]), (GETS * 0.5, GETS, 0.5))
        self.assertEqual((answer["Label"], point["Unit"]), ("ConsumedReadCapacityUnits", "Count"))
        self.assertIsInstance(point["Timestamp"], datetime.datetime)

    def test_percentiles(self):
        answer = cloudwatch.get_metric_statistics(
            Namespace="AWS/DynamoDB", MetricName="SuccessfulRequestLatency",
            Dimensions=dimensions(TableName=self.table, Operation="PutItem"), Period=3600, ExtendedStatistics=["p50", "p99"],
            **around())
        [point] = answer["Datapoints"]
        self.assertGreater(point["ExtendedStatistics"]["p50"], 0)
        self.assertGreaterEqual(point["ExtendedStatistics"]["p99"], point["ExtendedStatistics"]["p50"])

    def test_data_in_pages(self):
        def metric(name, index):
            return {"Metric": {"Namespace": "AWS/DynamoDB", "MetricName": name,
                               "Dimensions": dimensions(TableName=self.table, **index)}, "Period": 3600, "Stat": "Sum"}
        queries = [
            {"Id": "own", "MetricStat": metric("ConsumedWriteCapacityUnits", {})},
            {"Id": "index", "MetricStat": metric("ConsumedWriteCapacityUnits", {"GlobalSecondaryIndexName": "byTeam"})},
            {"Id": "all", "Expression": "own + index", "Label": "all writes"},
        ]
        pages = cloudwatch.get_paginator("get_metric_data").paginate(MetricDataQueries=queries, MaxDatapoints=2, **around())
        values = {result["Id"]: (result["Label"], result["Values"]) for page in pages for result in page["MetricDataResults"]}
        self.assertEqual(values, {"own": ("ConsumedWriteCapacityUnits", [PUTS]),
                                  "index": ("ConsumedWriteCapacityUnits", [PUTS]), "all": ("all writes", [2 * PUTS])})

    def test_list_in_pages(self):
        pages = cloudwatch.get_paginator("list_metrics").paginate(
            Namespace="AWS/DynamoDB", Dimensions=dimensions(TableName=self.table))
        names = sorted({metric["MetricName"] for page in pages for metric in page["Metrics"]})
        self.assertEqual(names, ["ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits", "SuccessfulRequestLatency"])

    def test_errors(self):
        def refused(code, words, **wrong):
            with self.assertRaises(ClientError) as caught:
                cloudwatch.get_metric_statistics(**{
                    "Namespace": "AWS/DynamoDB", "MetricName": "UserErrors", "Period": 60, "Statistics": ["Sum"],
                    **around(), **wrong})
            self.assertEqual(caught.exception.response["Error"]["Code"], code)
            self.assertIn(words, caught.exception.response["Error"]["Message"])
        refused("InvalidParameterValue", "The parameter Period must be", Period=7)
        refused("InvalidParameterValue", "Statistics.member.1.<list element>", Statistics=["Median"])
        refused("InvalidParameterCombination", "At least one of the parameters Statistics and ExtendedStatistics", Statistics=[])
        refused("MissingParameter", "The parameter Dimensions.member.1.Value is required.", Dimensions=[{"Name": "TableName"}])
        with self.assertRaises(ClientError) as caught:
            cloudwatch.describe_alarms()
        self.assertEqual(caught.exception.response["Error"]["Code"], "InvalidAction")


class Prometheus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = create_table({"pk": "S"}, **BY_TEAM)
        for i in range(PUTS):
            client.put_item(TableName=cls.table, Item={"pk": {"S": str(i)}, "team": {"S": "t"}})
        with urllib.request.urlopen(f"{ENDPOINT}/metrics", timeout=20) as answer:
            cls.media_type = answer.headers["Content-Type"]
            cls.families = {family.name: family for family in text_string_to_metric_families(answer.read().decode())}

    def samples(self, family, **labels):
        return {sample.name: sample.value for sample in self.families[family].samples
                if {name: value for name, value in sample.labels.items() if name != "le"} == labels}

    def test_is_the_text_format(self):
        self.assertEqual(self.media_type, "text/plain; version=0.0.4; charset=utf-8")
        for family in self.families.values():
            self.assertTrue(family.documentation, family.name)
            self.assertIn(family.type, ("counter", "gauge", "histogram"), family.name)

    def test_counters(self):
        name = "taula_consumed_write_capacity_units"
        self.assertEqual(self.families[name].type, "counter")
        self.assertEqual(self.samples(name, table=self.table), {f"{name}_total": PUTS})
        self.assertEqual(self.samples(name, table=self.table, index="byTeam"), {f"{name}_total": PUTS})

    def test_histograms(self):
        name = "taula_request_duration_seconds"
        self.assertEqual(self.families[name].type, "histogram")
        labels = {"table": self.table, "operation": "PutItem"}
        samples = self.samples(name, **labels)
        self.assertEqual(samples[f"{name}_count"], PUTS)
        self.assertGreater(samples[f"{name}_sum"], 0)
        buckets = [(float(sample.labels["le"]), sample.value) for sample in self.families[name].samples
                   if sample.name.endswith("_bucket") and labels.items() <= sample.labels.items()]
        self.assertEqual(buckets, sorted(buckets))
        self.assertEqual([below for _, below in buckets], sorted(below for _, below in buckets))
        self.assertEqual(buckets[-1], (float("inf"), PUTS))

    def test_sizes_and_the_process(self):
        self.assertEqual(self.samples("taula_table_items", table=self.table), {"taula_table_items": PUTS})
        self.assertEqual(self.samples("taula_table_items", table=self.table, index="byTeam"), {"taula_table_items": PUTS})
        for name in ("process_resident_memory_bytes", "process_start_time_seconds", "process_cpu_seconds",
                     "taula_open_connections", "taula_uptime_seconds", "taula_store_bytes"):
            self.assertGreater(next(iter(self.samples(name).values())), 0, name)

    def test_other_methods_and_paths_are_refused(self):
        for path, method, status in (("/metrics", "POST", 405), ("/metrics/x", "GET", 404)):
            with self.assertRaises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(urllib.request.Request(ENDPOINT + path, method=method), timeout=20)
            self.assertEqual(caught.exception.code, status)
            caught.exception.close()


if __name__ == "__main__":
    unittest.main()
