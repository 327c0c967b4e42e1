"""The messages of the Open Inference Protocol over gRPC, with the extensions that are served.

Numbers and names are facts of the protocol; traces and settings of logs are not among what is
served.

Source: https://github.com/kserve/open-inference-protocol and
https://github.com/triton-inference-server/common/blob/main/protobuf/grpc_service.proto
"""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, ...]] = {
    "ServerLiveRequest": (),
    "ServerLiveResponse": ("1 optional bool live",),
    "ServerReadyRequest": (),
    "ServerReadyResponse": ("1 optional bool ready",),
    "ModelReadyRequest": ("1 optional string name", "2 optional string version"),
    "ModelReadyResponse": ("1 optional bool ready",),
    "ServerMetadataRequest": (),
    "ServerMetadataResponse": (
        "1 optional string name",
        "2 optional string version",
        "3 repeated string extensions",
    ),
    "ModelMetadataRequest": ("1 optional string name", "2 optional string version"),
    "ModelMetadataResponse": (
        "1 optional string name",
        "2 repeated string versions",
        "3 optional string platform",
        "4 repeated ModelMetadataResponse.TensorMetadata inputs",
        "5 repeated ModelMetadataResponse.TensorMetadata outputs",
    ),
    "ModelMetadataResponse.TensorMetadata": (
        "1 optional string name",
        "2 optional string datatype",
        "3 repeated|packed int64 shape",
    ),
    "InferParameter": (
        "1 optional bool bool_param",
        "2 optional int64 int64_param",
        "3 optional string string_param",
        "4 optional double double_param",
        "5 optional uint64 uint64_param",
    ),
    "InferTensorContents": (
        "1 repeated|packed bool bool_contents",
        "2 repeated|packed int32 int_contents",
        "3 repeated|packed int64 int64_contents",
        "4 repeated|packed uint32 uint_contents",
        "5 repeated|packed uint64 uint64_contents",
        "6 repeated|packed float fp32_contents",
        "7 repeated|packed double fp64_contents",
        "8 repeated bytes bytes_contents",
    ),
    "ModelInferRequest": (
        "1 optional string model_name",
        "2 optional string model_version",
        "3 optional string id",
        "4 repeated ModelInferRequest.ParametersEntry parameters",
        "5 repeated ModelInferRequest.InferInputTensor inputs",
        "6 repeated ModelInferRequest.InferRequestedOutputTensor outputs",
        "7 repeated bytes raw_input_contents",
    ),
    "ModelInferRequest.InferInputTensor": (
        "1 optional string name",
        "2 optional string datatype",
        "3 repeated|packed int64 shape",
        "4 repeated ModelInferRequest.InferInputTensor.ParametersEntry parameters",
        "5 optional InferTensorContents contents",
    ),
    "ModelInferRequest.InferInputTensor.ParametersEntry": (
        "1 optional string key",
        "2 optional InferParameter value",
    ),
    "ModelInferRequest.InferRequestedOutputTensor": (
        "1 optional string name",
        "2 repeated ModelInferRequest.InferRequestedOutputTensor.ParametersEntry parameters",
    ),
    "ModelInferRequest.InferRequestedOutputTensor.ParametersEntry": (
        "1 optional string key",
        "2 optional InferParameter value",
    ),
    "ModelInferRequest.ParametersEntry": (
        "1 optional string key",
        "2 optional InferParameter value",
    ),
    "ModelInferResponse": (
        "1 optional string model_name",
        "2 optional string model_version",
        "3 optional string id",
        "4 repeated ModelInferResponse.ParametersEntry parameters",
        "5 repeated ModelInferResponse.InferOutputTensor outputs",
        "6 repeated bytes raw_output_contents",
    ),
    "ModelInferResponse.InferOutputTensor": (
        "1 optional string name",
        "2 optional string datatype",
        "3 repeated|packed int64 shape",
        "4 repeated ModelInferResponse.InferOutputTensor.ParametersEntry parameters",
        "5 optional InferTensorContents contents",
    ),
    "ModelInferResponse.InferOutputTensor.ParametersEntry": (
        "1 optional string key",
        "2 optional InferParameter value",
    ),
    "ModelInferResponse.ParametersEntry": (
        "1 optional string key",
        "2 optional InferParameter value",
    ),
    "ModelStreamInferResponse": (
        "1 optional string error_message",
        "2 optional ModelInferResponse infer_response",
    ),
    "ModelConfigRequest": ("1 optional string name", "2 optional string version"),
    "ModelConfigResponse": ("1 optional ModelConfig config",),
    "ModelStatisticsRequest": ("1 optional string name", "2 optional string version"),
    "StatisticDuration": ("1 optional uint64 count", "2 optional uint64 ns"),
    "InferStatistics": (
        "1 optional StatisticDuration success",
        "2 optional StatisticDuration fail",
        "3 optional StatisticDuration queue",
        "4 optional StatisticDuration compute_input",
        "5 optional StatisticDuration compute_infer",
        "6 optional StatisticDuration compute_output",
        "7 optional StatisticDuration cache_hit",
        "8 optional StatisticDuration cache_miss",
    ),
    "InferResponseStatistics": (
        "1 optional StatisticDuration compute_infer",
        "2 optional StatisticDuration compute_output",
        "3 optional StatisticDuration success",
        "4 optional StatisticDuration fail",
        "5 optional StatisticDuration empty_response",
        "6 optional StatisticDuration cancel",
    ),
    "InferBatchStatistics": (
        "1 optional uint64 batch_size",
        "2 optional StatisticDuration compute_input",
        "3 optional StatisticDuration compute_infer",
        "4 optional StatisticDuration compute_output",
    ),
    "MemoryUsage": (
        "1 optional string type",
        "2 optional int64 id",
        "3 optional uint64 byte_size",
    ),
    "ModelStatistics": (
        "1 optional string name",
        "2 optional string version",
        "3 optional uint64 last_inference",
        "4 optional uint64 inference_count",
        "5 optional uint64 execution_count",
        "6 optional InferStatistics inference_stats",
        "7 repeated InferBatchStatistics batch_stats",
        "8 repeated MemoryUsage memory_usage",
        "9 repeated ModelStatistics.ResponseStatsEntry response_stats",
    ),
    "ModelStatistics.ResponseStatsEntry": (
        "1 optional string key",
        "2 optional InferResponseStatistics value",
    ),
    "ModelStatisticsResponse": ("1 repeated ModelStatistics model_stats",),
    "ModelRepositoryParameter": (
        "1 optional bool bool_param",
        "2 optional int64 int64_param",
        "3 optional string string_param",
        "4 optional bytes bytes_param",
    ),
    "RepositoryIndexRequest": ("1 optional string repository_name", "2 optional bool ready"),
    "RepositoryIndexResponse": ("1 repeated RepositoryIndexResponse.ModelIndex models",),
    "RepositoryIndexResponse.ModelIndex": (
        "1 optional string name",
        "2 optional string version",
        "3 optional string state",
        "4 optional string reason",
    ),
    "RepositoryModelLoadRequest": (
        "1 optional string repository_name",
        "2 optional string model_name",
        "3 repeated RepositoryModelLoadRequest.ParametersEntry parameters",
    ),
    "RepositoryModelLoadRequest.ParametersEntry": (
        "1 optional string key",
        "2 optional ModelRepositoryParameter value",
    ),
    "RepositoryModelLoadResponse": (),
    "RepositoryModelUnloadRequest": (
        "1 optional string repository_name",
        "2 optional string model_name",
        "3 repeated RepositoryModelUnloadRequest.ParametersEntry parameters",
    ),
    "RepositoryModelUnloadRequest.ParametersEntry": (
        "1 optional string key",
        "2 optional ModelRepositoryParameter value",
    ),
    "RepositoryModelUnloadResponse": (),
    "SystemSharedMemoryStatusRequest": ("1 optional string name",),
    "SystemSharedMemoryStatusResponse": (
        "1 repeated SystemSharedMemoryStatusResponse.RegionsEntry regions",
    ),
    "SystemSharedMemoryStatusResponse.RegionStatus": (
        "1 optional string name",
        "2 optional string key",
        "3 optional uint64 offset",
        "4 optional uint64 byte_size",
    ),
    "SystemSharedMemoryStatusResponse.RegionsEntry": (
        "1 optional string key",
        "2 optional SystemSharedMemoryStatusResponse.RegionStatus value",
    ),
    "SystemSharedMemoryRegisterRequest": (
        "1 optional string name",
        "2 optional string key",
        "3 optional uint64 offset",
        "4 optional uint64 byte_size",
    ),
    "SystemSharedMemoryRegisterResponse": (),
    "SystemSharedMemoryUnregisterRequest": ("1 optional string name",),
    "SystemSharedMemoryUnregisterResponse": (),
    "CudaSharedMemoryStatusRequest": ("1 optional string name",),
    "CudaSharedMemoryStatusResponse": (
        "1 repeated CudaSharedMemoryStatusResponse.RegionsEntry regions",
    ),
    "CudaSharedMemoryStatusResponse.RegionStatus": (
        "1 optional string name",
        "2 optional uint64 device_id",
        "3 optional uint64 byte_size",
    ),
    "CudaSharedMemoryStatusResponse.RegionsEntry": (
        "1 optional string key",
        "2 optional CudaSharedMemoryStatusResponse.RegionStatus value",
    ),
    "CudaSharedMemoryRegisterRequest": (
        "1 optional string name",
        "2 optional bytes raw_handle",
        "3 optional int64 device_id",
        "4 optional uint64 byte_size",
    ),
    "CudaSharedMemoryRegisterResponse": (),
    "CudaSharedMemoryUnregisterRequest": ("1 optional string name",),
    "CudaSharedMemoryUnregisterResponse": (),
}

MAPS = (
    "ModelInferRequest.InferInputTensor.ParametersEntry",
    "ModelInferRequest.InferRequestedOutputTensor.ParametersEntry",
    "ModelInferRequest.ParametersEntry",
    "ModelInferResponse.InferOutputTensor.ParametersEntry",
    "ModelInferResponse.ParametersEntry",
    "ModelStatistics.ResponseStatsEntry",
    "RepositoryModelLoadRequest.ParametersEntry",
    "RepositoryModelUnloadRequest.ParametersEntry",
    "SystemSharedMemoryStatusResponse.RegionsEntry",
    "CudaSharedMemoryStatusResponse.RegionsEntry",
)
